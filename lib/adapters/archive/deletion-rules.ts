import { type DeletionRule, openClawDeletion } from '../../core/archive/runtime-deletion'
import { generationOf } from '../../core/maintenance/limits'
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

function openClawRule({ era, root }: RuleStore): DeletionRule | null {
  // What is in a database is put aside in there by OpenClaw, and not deleted by age.
  if (era === 'sqlite') return null
  const folder = settingsFolderOf({ kind: 'openclaw', root })
  if (folder === null) return null
  const { maintenance, version } = maintenanceSettings(folder)
  // A folder of transcripts that no runtime has its settings beside.
  if (maintenance === undefined && version === null) return null
  return openClawDeletion(maintenance, generationOf(version) ?? 'late')
}
