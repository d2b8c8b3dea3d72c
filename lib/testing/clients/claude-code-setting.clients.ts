import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claudeCodeModelWindow } from '../../core/sources/claude-code/model-window'
import { ClaudeCodeHome } from './claude-code-home'
import { type FakeMessages, startFakeMessages } from './fake-messages'

/** Above the line of the window that is set (100,000 − 33,000), and far below that of the model's. Tokens. */
const PROMPT = 90_000
const SETTINGS = '{\n  "theme": "dark",\n  "autoCompactWindow": 100000\n}\n'

let model: FakeMessages
let home: ClaudeCodeHome

beforeAll(async () => {
  model = await startFakeMessages(PROMPT)
  home = new ClaudeCodeHome(model, SETTINGS)
})

afterAll(async () => {
  await model.close()
  home.remove()
})

/** How often the client compacted, by its own record. */
const compactions = () =>
  readFileSync(home.transcript, 'utf8').split('"subtype":"compact_boundary"').length - 1

/** Whether a turn compacted first. */
async function compacts(prompt: string): Promise<boolean> {
  const isFirst = model.requests.length === 0
  const before = isFirst ? 0 : compactions()
  await home.turn(prompt, ...(isFirst ? [] : ['--continue']))
  return compactions() > before
}

describe('a setting that is applied for a finding', () => {
  it('changes where the real Claude Code compacts, until it is taken back to the byte', async () => {
    const early: boolean[] = []
    for (let i = 1; i <= 6; i++) early.push(await compacts(`Turn ${i}.`))
    expect(early).toEqual([false, false, true, true, true, true])

    const store = ['--store', home.projects]
    const { value: shown } = await home.plimsoll('policy', 'show', ...store)
    expect(shown.fit.stores[0]).toMatchObject({ recorded: 4, compared: 4, explained: 4 })
    const { value: found } = await home.plimsoll('findings', ...store)
    const chain = found.findings.find(({ kind }: { kind: string }) => kind === 'compaction-chain')
    const { value: dry } = await home.plimsoll('findings', 'apply', chain.id, '--dry-run', ...store)
    expect(readFileSync(home.settings, 'utf8')).toBe(SETTINGS)
    expect(dry).toMatchObject({ changed: false })

    const { value: done } = await home.plimsoll('findings', 'apply', chain.id, ...store)
    const text = readFileSync(home.settings, 'utf8')
    expect(text).not.toBe(SETTINGS)
    expect(JSON.parse(text).theme).toBe('dark')
    expect([await compacts('Seventh.'), await compacts('Eighth.')]).toEqual([false, false])

    await home.plimsoll('undo', done.receipt)
    expect(readFileSync(home.settings, 'utf8')).toBe(SETTINGS)
    expect([await compacts('Ninth.'), await compacts('Tenth.')]).toContain(true)
  })
})

describe('the window that the real Claude Code reckons with', () => {
  it.each([
    [900_000, 0],
    [975_000, 1],
  ])('a million for Opus 5.5: at %i tokens it compacts %i times or more', async (prompt, least) => {
    const answering = await startFakeMessages(prompt)
    const other = new ClaudeCodeHome(answering)
    try {
      for (let i = 1; i <= 3; i++) await other.turn(`Turn ${i}.`, ...(i > 1 ? ['--continue'] : []))
      expect(claudeCodeModelWindow(answering.requests.at(-1)?.model ?? null)).toBe(1_000_000)
      const made = readFileSync(other.transcript, 'utf8').split('"subtype":"compact_boundary"').length - 1
      expect(Math.min(made, 1)).toBe(least)
    } finally {
      await answering.close()
      other.remove()
    }
  })
})
