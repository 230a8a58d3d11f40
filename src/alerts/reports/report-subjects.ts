import { Injectable } from '@nestjs/common';
import { parseId } from '../../common/ids.js';
import { type FieldError, Problem } from '../../http/problems/problem.js';
import { ReportInputs } from '../../tenants/ports/report-inputs.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import type { UpdateReportDto } from './report.dto.js';
import type { Report } from './report.entity.js';

type Subjects = Pick<Report, 'alertIds' | 'searchIds'>;

const NOTHING: Subjects = { alertIds: [], searchIds: [] };

/** Finds the alerts and saved searches that requests name. */
@Injectable()
export class ReportSubjects {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly inputs: ReportInputs,
  ) {}

  /** The bare ids of a request, or those of before. Throws 400 for unknown ids that it names, and if there are none. */
  async of(
    workspaceId: string,
    { alerts, searches }: Pick<UpdateReportDto, 'alerts' | 'searches'>,
    before: Subjects = NOTHING,
  ): Promise<Subjects> {
    const errors: FieldError[] = [];
    const idsOf = async (
      kind: 'alert' | 'search',
      sent: readonly string[],
      find: (ids: readonly string[]) => Promise<{ id: string }[]>,
    ): Promise<string[]> => {
      const ids = sent.map((text) => parseId(kind, text));
      const found = new Set((await find(ids.filter((id) => id !== null))).map(({ id }) => id));
      const field = kind === 'alert' ? 'alerts' : 'searches';
      for (const [index, id] of ids.entries())
        if (id === null || !found.has(id))
          errors.push({
            field: `${field}.${index}`,
            message: `${field}.${index} must be the id of ${kind === 'alert' ? 'an alert' : 'a saved search'} of the workspace`,
          });
      return [...new Set(ids.filter((id) => id !== null))];
    };
    const subjects = {
      alertIds:
        alerts == null
          ? before.alertIds
          : await idsOf('alert', alerts, (ids) => this.alerts.findAll(workspaceId, ids)),
      searchIds:
        searches == null
          ? before.searchIds
          : await idsOf('search', searches, (ids) => this.inputs.searches(workspaceId, ids)),
    };
    if (errors.length === 0 && subjects.alertIds.length + subjects.searchIds.length === 0)
      errors.push({ field: 'alerts', message: 'alerts must have an element unless there are searches' });
    if (errors.length > 0) throw Problem.validation(errors);
    return subjects;
  }
}
