import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FoundStore } from '../../engine/read/ports'
import { readSetup } from '../../testing/read-setup'
import { temporaryFolder } from '../../testing/store-folder'
import { openPolicies } from '../policy/policies'
import { asksByStore } from './store-asks'

const store = (id: string, root: string, kind: FoundStore['kind'] = 'openclaw'): FoundStore => ({
  ...{ id, kind, era: 'jsonl', root, label: id, state: 'ok' },
})

test('a store gets what the settings of its folder ask for, and not those of a folder above it', async () => {
  const home = temporaryFolder()
  const above = join(home, '.openclaw')
  const nested = join(above, 'nested', '.openclaw')
  const sessions = join(above, 'agents', 'main', 'sessions')
  const pi = join(home, '.pi', 'agent', 'sessions')
  for (const folder of [sessions, join(nested, 'agents'), pi]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(above, 'config.yaml'), 'policy: { logs: { path: /srv/logs } }\n')
  writeFileSync(join(home, '.pi', 'agent', 'settings.json'), '{ "sessionDir": "/srv/pi" }')
  const read = readSetup({ HOME: home }, home)
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const stores = [
    ...[store('above', above), store('sessions', sessions), store('nested', nested)],
    store('pi', pi, 'pi'),
  ]
  const documents = await openPolicies(read.setup, stores).documents()
  const asks = asksByStore(read.setup, documents, stores)
  const wishOf = (id: string) => asks.get(id)?.asks.map(({ wish }) => wish)
  const logs = [{ kind: 'logs', folder: '/srv/logs' }]
  expect([wishOf('above'), wishOf('sessions')]).toEqual([logs, logs])
  expect(wishOf('nested')).toBeUndefined()
  expect(wishOf('pi')).toEqual([{ kind: 'sessions', folder: '/srv/pi' }])
})
