import path from 'node:path'
import type { LabelledFile } from '../../../core/policy/effective'
import { readPolicy } from '../../../core/policy/read-policy'
import { MOST_CONFIG_BYTES } from '../../../core/policy/size-limit'
import { parseSource } from '../../../core/policy/source-tree'
import { JsonFiles } from '../../files/json-file'
import { newestFileBelow, versionWritten } from '../newest-session'
import type { SourceSettings } from '../source'

/** Where the administrator of a machine puts files for Codex (lib/docs/claude-code-and-codex.md#settings-of-codex). */
const SYSTEM_FOLDER = '/etc/codex'

/** `config.toml` lies beside `sessions` and `archived_sessions`, in `~/.codex` or where `CODEX_HOME` says. */
export const codexSettings: SourceSettings = codexSettingsWith(SYSTEM_FOLDER)

/** @param system the folder of the machine: `config.toml` in it is for want of others, `managed_config.toml` above all */
export function codexSettingsWith(system: string): SourceSettings {
  const common = systemFile(path.join(system, 'config.toml'))
  return {
    folderOf,
    files: ['config.toml'],
    managed: [path.join(system, 'managed_config.toml')],
    besides: (root) => (folderOf(root) === root ? [] : common()),
    // A folder for the year, the month and the day.
    versionOf: (root) => versionWritten(newestFileBelow(root, 3), /"cli_version":"([^"\\]{1,64})"/),
    deletionOf: () => null,
  }
}

function folderOf(root: string): string {
  return /^(?:archived_)?sessions$/.test(path.basename(root)) ? path.dirname(root) : root
}

/** A file that cannot be read says nothing: its owner is not the operator. */
function systemFile(label: string): () => LabelledFile[] {
  const files = new JsonFiles((text) => readPolicy(parseSource(text, label)), MOST_CONFIG_BYTES)
  return () => {
    const { value } = files.get(label)
    return value?.format === 'codex' ? [{ label, file: value }] : []
  }
}
