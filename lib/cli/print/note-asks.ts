import { openPolicies } from '../../compose/policy/policies'
import { askingStores } from '../../compose/stores/store-asks'
import type { FoundStore } from '../../engine/read/ports'
import { type StoreAsksView, storeAsksView } from '../../view/policy/store-asks'
import { setupOrFail } from '../choose/setup-or-fail'
import type { Io } from '../io'
import { note } from './output'
import { toTerminal } from './terminal-text'

/** What stores ask for and the operator decides. A file that cannot be read asks for nothing: its fault is shown elsewhere. */
export async function asksOfStores(io: Io, stores: readonly FoundStore[]): Promise<StoreAsksView[]> {
  const setup = setupOrFail(io)
  const documents = await openPolicies(setup, stores)
    .documents()
    .catch(() => [])
  return askingStores(setup, documents, stores).map(storeAsksView)
}

/** Says on standard error what a store asks for and does not get. */
export async function noteAsks(io: Io, store: FoundStore): Promise<StoreAsksView[]> {
  const asking = await asksOfStores(io, [store])
  const refused = asking.flatMap(({ asks }) => asks.filter(({ allowed }) => !allowed))
  for (const { text, where } of refused) await note(io, `${text} (${where}); it is not used.`)
  if (refused.length > 0)
    await note(io, 'To allow it, put the lines into your settings that "plimsoll policy check" prints.')
  return asking
}

/** What stores ask for, safe for a terminal, with the lines that allow it; '' where no store asks. */
export function asksText(asking: readonly StoreAsksView[], settingsFile: string): string {
  return asking
    .map(({ path, asks, lines }) => {
      const said = asks.map(
        ({ text, where, allowed }) =>
          `${toTerminal(`${text} (${where}); ${allowed ? 'your settings allow it' : 'it is not used'}.`)}\n`,
      )
      const safe = lines.split('\n').map(toTerminal).join('\n')
      const add = lines === '' ? '' : `To allow it, add to ${toTerminal(settingsFile)}:\n\n${safe}`
      return `${toTerminal(path)}:\n${said.join('')}${add}`
    })
    .join('\n')
}
