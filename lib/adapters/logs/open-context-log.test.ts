import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONTENT_FORM } from '../../agent/content-form'
import { ContextManager } from '../../agent/context-manager'
import { Conversation } from '../../agent/conversation'
import { LOG_FILES } from '../../core/logs/log-files'
import type { Policy } from '../../core/policy/policy'
import { errands, MEMFAS, NOW, said } from '../../testing/cold-conversation'
import { sharedFolder } from '../../testing/store-folder'
import { openColdStore } from '../cold/open-cold-store'
import { openContextLog } from './open-context-log'

const folder = sharedFolder()

/** Files that are there after a live agent dropped something with these switches. */
async function filesWith(name: string, switches: Partial<Policy['logs']>): Promise<string[]> {
  const path = join(folder, name)
  const policy = { ...MEMFAS, logs: { ...MEMFAS.logs, ...switches, path } }
  const clock = { now: () => NOW }
  const talk = new Conversation([...errands(20), said('user', 'Which crane?')])
  const context = new ContextManager({
    policy,
    window: 18_000,
    key: null,
    promptCache: null,
    agent: {
      ...talk,
      session: 's',
      clock,
      form: CONTENT_FORM,
      cold: openColdStore(join(folder, `${name}-cold`)),
      log: openContextLog(policy, clock),
    },
  })
  const { drop } = await context.afterResponse()
  expect(drop?.dropped.length).toBeGreaterThan(0)
  try {
    return readdirSync(path).sort()
  } catch {
    return []
  }
}

test('Q1: a live agent writes the logs that its policy has on, and no file of those that are off', async () => {
  const [drops, curation] = [LOG_FILES.drops[0], LOG_FILES.curation[0]]
  expect(await filesWith('all', {})).toEqual([curation, drops].sort())
  expect(await filesWith('drops-off', { drops: false })).toEqual([curation])
  expect(await filesWith('curation-off', { curation: false })).toEqual([drops])
  expect(await filesWith('none', { drops: false, curation: false })).toEqual([])
})
