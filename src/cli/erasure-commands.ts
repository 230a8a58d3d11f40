import { resolve } from 'node:path';
import type { CreateErasureDto } from '../privacy/erasures/dto/erasure.dto.js';
import { audited } from './audited.js';
import { writeErasureList } from './backups/erasure-list.js';
import { type Command, workspaceIn } from './workspace-commands.js';

const LIST_LIMIT = 200;

/** The commands that erase content, and list erasures. */
export const ERASURE_COMMANDS: Record<string, Command> = {
  erase: async (tools, options) => {
    const id = workspaceIn(options);
    const { author, source, post, comment, reason } = options;
    const request: CreateErasureDto = {
      ...(author !== undefined && { author }),
      ...(source !== undefined && { source }),
      ...(post !== undefined && { post_id: post }),
      ...(comment !== undefined && { comment_id: comment }),
      ...(reason !== undefined && { reason }),
      suppress: options['no-suppress'] !== true,
    };
    await tools.workspaces.get(id);
    const erasure = await audited(
      tools.audit,
      { action: 'workspace erase', targetWorkspaceId: id, fields: Object.keys(request) },
      () => tools.erasures.create(id, request),
      (created) => ({ resource: { id: created.id } }),
    );
    return {
      json: erasure,
      lines: [
        `${erasure.id} is carried out by the schedulers of the service; \`erasures\` shows the progress`,
      ],
    };
  },

  erasures: async (tools, options) => {
    if (options.to !== undefined) {
      const file = resolve(options.to);
      const erasures = await tools.transactions.run((tx) =>
        writeErasureList((sql, parameters) => tx.query(sql, parameters), file),
      );
      return { json: { file, erasures }, lines: [`${file}  ${erasures} erasures`] };
    }
    const page = await tools.erasures.list(workspaceIn(options), { limit: LIST_LIMIT });
    return {
      json: page,
      lines: page.erasures.map(
        ({ id, status, kind, removed }) =>
          `${id}  ${status.padEnd(9)}  ${kind.padEnd(7)}  ${removed.posts} posts  ${removed.comments} comments`,
      ),
    };
  },
};
