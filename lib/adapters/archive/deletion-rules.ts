import { type DeletionRule, openClawDeletion, openClawOverdue } from '../../core/archive/runtime-deletion'
import { type Generation, generationOf } from '../../core/maintenance/limits'
import { maintenanceSettings } from '../locks/state-folder'
import { SOURCES } from '../sources/sources'
import { settingsFolderOf } from '../stores/runtime-version'

/** Of a store, as it was found or as the database has it. */
type RuleStore = { readonly kind: string; readonly era: string; readonly root: string }

/** By which rule the runtime of a store deletes transcripts, from its own settings; null: by none that is known. */
export function deletionRuleOf(store: RuleStore): DeletionRule | null {
  if (store.kind === 'openclaw') return openClawRule(store)
  return SOURCES.find(({ kind }) => kind === store.kind)?.settings.deletionOf(store.root) ?? null
}

/** By which rule files of a store of OpenClaw are overdue, which it only warns of; null: by none that is known. */
export function overdueRuleOf(store: RuleStore): DeletionRule | null {
  if (store.kind !== 'openclaw') return null
  const found = openClawMaintenance(store)
  return found === null ? null : openClawOverdue(found.maintenance, found.generation)
}

function openClawRule(store: RuleStore): DeletionRule | null {
  const found = openClawMaintenance(store)
  return found === null ? null : openClawDeletion(found.maintenance, found.generation)
}

function openClawMaintenance({
  era,
  root,
}: RuleStore): { readonly maintenance: unknown; readonly generation: Generation } | null {
  // What is in a database is put aside in there by OpenClaw, and not deleted by age.
  if (era === 'sqlite') return null
  const folder = settingsFolderOf({ kind: 'openclaw', root })
  if (folder === null) return null
  const { maintenance, version } = maintenanceSettings(folder)
  // A folder of transcripts that no runtime has its settings beside.
  if (maintenance === undefined && version === null) return null
  return { maintenance, generation: generationOf(version) ?? 'late' }
}
