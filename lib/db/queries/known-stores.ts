import type { FoundStore, StoreState } from '../../engine/ports'
import type { Database } from '../client'

/** Every store that was ever found, as it was found last. */
export function findKnownStores({ connection }: Pick<Database, 'connection'>): FoundStore[] {
  const { rows } = connection.run(
    'SELECT "id", "kind", "era", "root", "label", "state" FROM "Store" ORDER BY "label", "root", "era"',
  )
  return rows.map(([id, kind, era, root, label, state]) => ({
    id: String(id),
    kind: kind === 'pi' ? 'pi' : 'openclaw',
    era: era === 'sqlite' ? 'sqlite' : 'jsonl',
    root: String(root),
    label: String(label),
    state: String(state) as StoreState,
  }))
}
