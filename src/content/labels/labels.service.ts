import { Injectable } from '@nestjs/common';
import { publicId } from '../../common/ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { Problem } from '../../http/problems/problem.js';
import { WorkspacesRepository } from '../../tenants/workspaces/workspaces.repository.js';
import { krippendorffsAlpha, pairAgreement } from './agreement.js';
import {
  type AgreementDto,
  type CreatedLabelsDto,
  type CreateLabelsDto,
  type LabellersDto,
  MAX_DIFFERENT_LABELS,
  MAX_LABELLERS,
} from './dto/label.dto.js';
import { parseLabels } from './label-csv.js';
import { LabelStatisticsRepository } from './label-statistics.repository.js';
import { type LabelCounts, LabelsRepository } from './labels.repository.js';

/** Maximum number of labels of a workspace. */
const MAX_LABELS = 1_000_000;

/** Stores labels and compares labellers. */
@Injectable()
export class LabelsService {
  constructor(
    private readonly labels: LabelsRepository,
    private readonly statistics: LabelStatisticsRepository,
    private readonly workspaces: WorkspacesRepository,
    private readonly transactions: TransactionRunner,
  ) {}

  /** Adds or replaces labels. Throws 400 for a table that cannot be read, and 403 `quota_exceeded`. */
  async create(workspaceId: string, { labeller, csv }: CreateLabelsDto): Promise<CreatedLabelsDto> {
    const labels = parseLabels(csv);
    if ('problem' in labels) throw Problem.validation([{ field: 'csv', message: `csv ${labels.problem}` }]);
    await this.transactions.run(async (tx) => {
      // Imports of a workspace wait for each other, so that together they stay within the limits.
      await this.workspaces.lockQuotas(workspaceId, tx);
      await this.labels.save(workspaceId, labeller, labels, tx);
      const refusal = excess(await this.labels.count(workspaceId, labeller, MAX_DIFFERENT_LABELS + 1, tx));
      if (refusal !== null) throw new Problem('quota_exceeded', refusal);
    });
    return { workspace_id: publicId('workspace', workspaceId), labeller, saved: labels.length };
  }

  async list(workspaceId: string): Promise<LabellersDto> {
    const labellers = await this.statistics.list(workspaceId);
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
    const stored = await this.labels.labellers(workspaceId);
    const unknown = given?.filter((one) => !stored.includes(one)) ?? [];
    if (unknown.length > 0)
      throw Problem.validation(
        unknown.map((one) => ({
          field: 'labellers',
          message: `${one} has no labels in this workspace; GET /labels lists all labellers`,
        })),
      );
    const labellers = stored.filter((one) => given?.includes(one) ?? true);
    const { pairs, all } = await this.statistics.agreement(workspaceId, labellers);
    return {
      labellers,
      pairs: labellers.flatMap((first, index) =>
        labellers.slice(index + 1).map((second, following) => {
          const sums = pairs.find((one) => one.first === index && one.second === index + 1 + following);
          const { records, observed, kappa } = pairAgreement(sums);
          return { labellers: [first, second], records, observed, cohens_kappa: kappa };
        }),
      ),
      krippendorffs_alpha: all === null ? null : krippendorffsAlpha(all),
    };
  }
}

/** The limit that the labels of a workspace exceed, and the remedy; null for none. */
function excess({ labellers, labels, different }: LabelCounts): string | null {
  if (labellers > MAX_LABELLERS) return `A workspace has at most ${MAX_LABELLERS} labellers. Delete one.`;
  if (labels > MAX_LABELS) return `A workspace has at most ${MAX_LABELS} labels. Delete a labeller.`;
  return different > MAX_DIFFERENT_LABELS
    ? `A labeller has at most ${MAX_DIFFERENT_LABELS} different labels. Use fewer, or delete the labeller first.`
    : null;
}
