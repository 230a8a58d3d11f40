import { workspaceDatasetsFolder } from '../../takeout/datasets/dataset-files.js';
import { workspaceExportsFolder } from '../../takeout/exports/export-jobs.service.js';
import type { MediaStore } from '../../content/media/media-store.js';

/** Removes every file of a workspace from the media store: its posts' media, its exports and its datasets. */
export async function removeWorkspaceFiles(store: MediaStore, workspaceId: string): Promise<void> {
  for (const folder of [
    workspaceId,
    workspaceExportsFolder(workspaceId),
    workspaceDatasetsFolder(workspaceId),
  ])
    await store.removeFolder(folder);
}
