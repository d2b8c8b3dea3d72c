import path from 'node:path'
import type { SourceSettings } from '../source'

/** `opencode.json` lies in `~/.config/opencode` and in projects, not beside the sessions. It deletes none by age. */
export const openCodeSettings: SourceSettings = {
  folderOf: (root) => (path.extname(root) === '.db' ? path.dirname(root) : root),
  files: [],
  managed: [],
  besides: () => [],
  versionOf: () => null,
  deletionOf: () => null,
}
