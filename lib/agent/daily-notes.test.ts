import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPromptCache } from '../adapters/prompt-cache/open-prompt-cache'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { sizeOf } from '../testing/live-conversation'
import { temporaryFolder } from '../testing/store-folder'
import { ContextManager } from './context-manager'

const NOON = Date.UTC(2026, 10, 21, 12)

/** The files of one request after another, over a real folder. */
function requests(policy: Policy, subagent = false) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'memory'))
  const note = (day: string, text: string) => writeFileSync(join(folder, 'memory', `${day}.md`), text)
  const promptCache = openPromptCache({ folder, policy, clock: { now: () => NOON } })
  const window = 200_000
  const context = new ContextManager({ policy, window, key: null, tokensOf: sizeOf, promptCache, subagent })
  const ask = async () => {
    const prompt = [{ role: 'user', content: 'What did we note?' }]
    const { system, bootstrap } = await context.request({ parts: { identity: 'You help.' }, prompt })
    return { text: system.text, names: bootstrap.files.map(({ name }) => name) }
  }
  return { note, ask, close: () => promptCache.close() }
}

test('P2: an edit of a daily note is in the next request, behind the workspace files', async () => {
  const { note, ask, close } = requests(DEFAULT_POLICY)
  note('2026-11-20', 'The pilot comes at six.')
  note('2026-11-19', 'Too old.')
  expect((await ask()).text).toContain('The pilot comes at six.')
  note('2026-11-21', 'Berth 4 is free.')
  const first = await ask()
  expect(first.names.slice(-2).toSorted()).toEqual(['memory/2026-11-20.md', 'memory/2026-11-21.md'])
  expect(first.text).toContain('Berth 4 is free.')
  expect(first.text).not.toContain('Too old.')
  note('2026-11-21', 'Berth 4 is taken after all.')
  expect((await ask()).text).toContain('Berth 4 is taken after all.')
  close()
})

test('P2: the policy may leave daily notes out, and sub-agents never get them', async () => {
  const off = { ...DEFAULT_POLICY, bootstrap: { ...DEFAULT_POLICY.bootstrap, dailyNotes: false } }
  for (const { note, ask, close } of [requests(off), requests(DEFAULT_POLICY, true)]) {
    note('2026-11-21', 'Berth 4 is free.')
    expect((await ask()).text).not.toContain('Berth 4 is free.')
    close()
  }
})
