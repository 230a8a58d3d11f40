import { workspaceExportsFolder } from '../exports/export-jobs.service.js';
import type { MediaStore } from '../media/media-store.js';

/** Removes every file of a workspace from the media store: its posts' media and its exports. */
export async function removeWorkspaceFiles(store: MediaStore, workspaceId: string): Promise<void> {
  for (const folder of [workspaceId, workspaceExportsFolder(workspaceId)]) await store.removeFolder(folder);
}
