import { Injectable } from '@nestjs/common';
import { groupBy } from '../../common/collections.js';
import { publicId } from '../../common/ids.js';
import { Problem } from '../../http/problem.js';
import { krippendorffsAlpha, pairAgreement } from './agreement.js';
import {
  type AgreementDto,
  type CreatedLabelsDto,
  type CreateLabelsDto,
  type LabellersDto,
  MAX_LABELLERS,
} from './dto/label.dto.js';
import { parseLabels } from './label-csv.js';
import { LabelsRepository } from './labels.repository.js';

/** Maximum number of labels of a workspace. */
const MAX_LABELS = 1_000_000;

/** Stores labels and compares labellers. */
@Injectable()
export class LabelsService {
  constructor(private readonly labels: LabelsRepository) {}

  /** Adds or replaces labels. Throws 400 for a table that cannot be read, and 403 `quota_exceeded`. */
  async create(workspaceId: string, { labeller, csv }: CreateLabelsDto): Promise<CreatedLabelsDto> {
    const labels = parseLabels(csv);
    if ('problem' in labels) throw Problem.validation([{ field: 'csv', message: `csv ${labels.problem}` }]);
    const stored = await this.labels.list(workspaceId);
    if (stored.length >= MAX_LABELLERS && !stored.some((one) => one.labeller === labeller))
      throw new Problem('quota_exceeded', `A workspace has at most ${MAX_LABELLERS} labellers. Delete one.`);
    if (stored.reduce((sum, { records }) => sum + records, labels.length) > MAX_LABELS)
      throw new Problem('quota_exceeded', `A workspace has at most ${MAX_LABELS} labels. Delete a labeller.`);
    await this.labels.save(workspaceId, labeller, labels);
    return { workspace_id: publicId('workspace', workspaceId), labeller, saved: labels.length };
  }

  async list(workspaceId: string): Promise<LabellersDto> {
    const labellers = await this.labels.list(workspaceId);
    return {
      labellers: labellers.map(({ labelledAt, ...labeller }) => ({ ...labeller, labelled_at: labelledAt })),
    };
  }

  /** Throws 404. */
  async delete(workspaceId: string, labeller: string): Promise<void> {
    if ((await this.labels.delete(workspaceId, labeller)) === 0) throw Problem.notFound('labeller');
  }

  /** Compares all labellers, or the given ones. Throws 400 for one that has no labels. */
  async agreement(workspaceId: string, given?: readonly string[]): Promise<AgreementDto> {
    const stored = (await this.labels.list(workspaceId)).map(({ labeller }) => labeller);
    const unknown = given?.filter((one) => !stored.includes(one)) ?? [];
    if (unknown.length > 0)
      throw Problem.validation(
        unknown.map((one) => ({
          field: 'labellers',
          message: `${one} has no labels in this workspace; GET /labels lists all labellers`,
        })),
      );
    const labellers = stored.filter((one) => given?.includes(one) ?? true);
    const [pairs, coincidences] = await Promise.all([
      this.labels.pairs(workspaceId, labellers),
      this.labels.coincidences(workspaceId, labellers),
    ]);
    const byLabellers = groupBy(pairs, ({ first, second }) => `${first},${second}`);
    return {
      labellers,
      pairs: labellers.flatMap((first, index) =>
        labellers.slice(index + 1).map((second) => {
          const agreement = pairAgreement(byLabellers.get(`${first},${second}`) ?? []);
          const { records, observed, kappa } = agreement;
          return { labellers: [first, second], records, observed, cohens_kappa: kappa };
        }),
      ),
      krippendorffs_alpha: krippendorffsAlpha(coincidences),
    };
  }
}
