import path from 'node:path'
import type { SourceSettings } from '../source'

/** `config.toml` lies beside `sessions` and `archived_sessions`, in `~/.codex` or where `CODEX_HOME` says. */
export const codexSettings: SourceSettings = {
  folderOf: (root) => (/^(?:archived_)?sessions$/.test(path.basename(root)) ? path.dirname(root) : root),
  deletionOf: () => null,
}
