import path from 'node:path'
import * as z from 'zod'
import { claudeCodeDeletion, type DeletionRule, openClawDeletion } from '../../core/archive/runtime-deletion'
import { generationOf } from '../../core/maintenance/limits'
import { JsonFiles } from '../files/json-file'
import { maintenanceSettings } from '../locks/state-folder'
import { settingsFolderOf } from '../stores/runtime-version'

/** Of a store, as it was found or as the database has it. */
type RuleStore = { readonly kind: string; readonly era: string; readonly root: string }
type RuleOf = (store: RuleStore) => DeletionRule | null

const claudeSettings = new JsonFiles((text) =>
  z.object({ cleanupPeriodDays: z.unknown().optional() }).parse(JSON.parse(text)),
)

/** One for each runtime that deletes transcripts by their age. pi keeps all; of Codex no such rule is known. */
const RULES: Readonly<Record<string, RuleOf>> = {
  openclaw: (store) => {
    // What is in a database is put aside in there by OpenClaw, and not deleted by age.
    if (store.era === 'sqlite') return null
    const folder = settingsFolderOf({ kind: 'openclaw', root: store.root })
    if (folder === null) return null
    const { maintenance, version } = maintenanceSettings(folder)
    // A folder of transcripts that no runtime has its settings beside.
    if (maintenance === undefined && version === null) return null
    return openClawDeletion(maintenance, generationOf(version) ?? 'late')
  },
  'claude-code': ({ root }) => {
    const folder = path.basename(root) === 'projects' ? path.dirname(root) : root
    return claudeCodeDeletion(claudeSettings.get(path.join(folder, 'settings.json')).value?.cleanupPeriodDays)
  },
}

/** By which rule the runtime of a store deletes transcripts, from its own settings; null: by none that is known. */
export function deletionRuleOf(store: RuleStore): DeletionRule | null {
  return RULES[store.kind]?.(store) ?? null
}
