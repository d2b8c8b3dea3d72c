import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeDemoFiles } from '../../../adapters/files/demo-files'
import { runCli } from '../../../testing/run-cli'
import { sharedFolder } from '../../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
const running = new AbortController().signal
let store = ''

beforeAll(async () => {
  const roots = await writeDemoFiles({ home: folder, now: Date.parse('2026-11-21T12:00:00Z') })
  store = roots.find((root) => root.kind === 'openclaw')?.path ?? ''
})

const run = (...argv: string[]) => runCli([...argv, '--store', store], { env, stop: running })

async function sessionWith(compacted: boolean): Promise<string> {
  const { stdout } = await run('sessions', '--json')
  const all = JSON.parse(stdout).sessions as { key: string; compactions: number }[]
  return all.find(({ compactions }) => compactions > 0 === compacted)?.key ?? ''
}

describe('X7 plimsoll compactions', () => {
  it('lists each with what it freed, and what was lost by name with where it came back', async () => {
    const key = await sessionWith(true)
    const { code, stdout } = await run('compactions', key, '--losses', '5', '--json')
    expect(code).toBe(0)
    const [first] = JSON.parse(stdout).compactions
    expect(first).toMatchObject({ kind: 'compaction', fromHook: false })
    expect(first.freed).toBeCloseTo((first.promptBefore - first.promptAfter) / first.promptBefore, 9)
    expect(first.kept + first.summarised).toBeGreaterThan(10)
    expect(first.lost.length).toBeLessThanOrEqual(5)
    for (const name of first.lost) expect(name.line).toBeLessThan(first.line)

    const text = await run('compactions', key)
    expect(text.stdout).toMatch(/TRIGGER +BEFORE +AFTER +FREED/)
    expect(text.stdout).not.toContain('Lost at line')
    expect((await run('compactions', key, '--losses', '5')).stdout).toMatch(/Lost at line|nothing was lost/)
  })

  it('says so when there was none', async () => {
    const { code, stdout } = await run('compactions', await sessionWith(false))
    expect([code, stdout]).toEqual([0, 'This session was never compacted or reset.\n'])
  })
})
