import path from 'node:path'
import * as z from 'zod'
import { claudeCodeDeletion, type DeletionRule } from '../../../core/archive/runtime-deletion'
import type { LabelledFile } from '../../../core/policy/effective'
import { JsonFiles } from '../../files/json-file'
import { lastVersionWritten, newestFileBelow, versionWritten } from '../newest-session'
import type { SourceSettings } from '../source'

/**
 * `settings.json` lies beside `projects`, in `~/.claude` or where `CLAUDE_CONFIG_DIR` says; what an administrator decides
 * is in a folder of the system (lib/docs/claude-code-and-codex.md#settings-of-claude-code). Settings of a project lie in
 * its folder, which only its transcripts name: a store decides no path, so they are not read.
 */
export const claudeCodeSettings: SourceSettings = {
  folderOf,
  files: ['settings.json'],
  managed: [
    path.join(
      process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code',
      'managed-settings.json',
    ),
  ],
  besides,
  versionOf: (root) => {
    const newest = newestFileBelow(root, 1)
    return lastVersionWritten(newest) ?? versionWritten(newest, /"version":"([^"\\]{1,64})"/)
  },
  deletionOf,
}

const files = new JsonFiles((text) =>
  z.object({ cleanupPeriodDays: z.unknown().optional() }).parse(JSON.parse(text)),
)

/** The client's own notes grow with the projects that it knows. Bytes. */
const MAX_NOTES = 16 * 1024 * 1024

const notes = new JsonFiles(
  (text) => z.object({ autoCompactEnabled: z.unknown().optional() }).parse(JSON.parse(text)),
  MAX_NOTES,
)

function folderOf(root: string): string {
  return path.basename(root) === 'projects' ? path.dirname(root) : root
}

/** `.claude.json`, where older releases keep the switch of `/config` and newer ones still look for it. */
function besides(root: string): readonly LabelledFile[] {
  const folder = folderOf(root)
  if (folder === root) return []
  const holder = path.basename(folder) === '.claude' ? path.dirname(folder) : folder
  const label = path.join(holder, '.claude.json')
  if (notes.get(label).value?.autoCompactEnabled !== false) return []
  const patch = { compaction: { mode: 'off' as const } }
  const facts = { format: 'claude-code', label: "Claude Code's notes", preset: null, overrides: [] }
  return [{ label, file: { ...facts, patch, places: {}, problems: [] } }]
}

function deletionOf(root: string): DeletionRule | null {
  const { value } = files.get(path.join(folderOf(root), 'settings.json'))
  return claudeCodeDeletion(value?.cleanupPeriodDays)
}
