import type { WorkspaceFile } from '../../core/bootstrap/workspace-file'

/** A file of a workspace at `/w`; a text of null is a missing one. */
export function workspaceFile(
  name: string,
  text: string | null = `${name} text`,
  over: Partial<WorkspaceFile> = {},
): WorkspaceFile {
  return { name, path: `/w/${name}`, text, ...over }
}
