import { PickType } from '@nestjs/swagger';
import { MatchFilterDto } from '../../../alerts/triage/match.dto.js';

/** Only rows that an alert matched: those with a match in this state and with this label. */
export class ExportedMatchDto extends PickType(MatchFilterDto, ['state', 'label'] as const) {}
