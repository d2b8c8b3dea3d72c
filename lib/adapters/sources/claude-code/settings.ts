import path from 'node:path'
import * as z from 'zod'
import { claudeCodeDeletion, type DeletionRule } from '../../../core/archive/runtime-deletion'
import { JsonFiles } from '../../files/json-file'
import type { SourceSettings } from '../source'

/** `settings.json` lies beside `projects`, in `~/.claude` or where `CLAUDE_CONFIG_DIR` says. */
export const claudeCodeSettings: SourceSettings = { folderOf, deletionOf }

const files = new JsonFiles((text) =>
  z.object({ cleanupPeriodDays: z.unknown().optional() }).parse(JSON.parse(text)),
)

function folderOf(root: string): string {
  return path.basename(root) === 'projects' ? path.dirname(root) : root
}

function deletionOf(root: string): DeletionRule | null {
  const { value } = files.get(path.join(folderOf(root), 'settings.json'))
  return claudeCodeDeletion(value?.cleanupPeriodDays)
}
