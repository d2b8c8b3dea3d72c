import path from 'node:path'
import { newestFileBelow, versionWritten } from '../newest-session'
import type { SourceSettings } from '../source'

/** `config.toml` lies beside `sessions` and `archived_sessions`, in `~/.codex` or where `CODEX_HOME` says. */
export const codexSettings: SourceSettings = {
  folderOf: (root) => (/^(?:archived_)?sessions$/.test(path.basename(root)) ? path.dirname(root) : root),
  files: ['config.toml'],
  managed: [],
  besides: () => [],
  // A folder for the year, the month and the day.
  versionOf: (root) => versionWritten(newestFileBelow(root, 3), /"cli_version":"([^"\\]{1,64})"/),
  deletionOf: () => null,
}
