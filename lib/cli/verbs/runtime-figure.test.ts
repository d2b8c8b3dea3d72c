import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runCli } from '../../testing/run-cli'
import { sharedFolder } from '../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }

/** A store of OpenClaw with one session, of which its index says this. */
function storeOf(name: string, noted: Readonly<Record<string, unknown>>): string {
  const store = join(folder, name)
  const sessions = join(store, 'agents', 'main', 'sessions')
  mkdirSync(sessions, { recursive: true })
  const builder = new TranscriptBuilder({ id: 'tide' })
  builder.user('When is high water?')
  builder.assistant('At noon.', { usage: { input: 1_200, output: 9 } })
  writeFileSync(join(sessions, 'tide.jsonl'), builder.text())
  const index = { 'agent:main:main': { sessionId: 'tide', updatedAt: Date.now(), ...noted } }
  writeFileSync(join(sessions, 'sessions.json'), JSON.stringify(index))
  return store
}

async function statusOf(store: string) {
  const argv = ['status', 'tide', '--store', store]
  const { stdout } = await runCli([...argv, '--json'], { env })
  const text = (await runCli(argv, { env })).stdout
  return { value: JSON.parse(stdout), text }
}

describe('B6 what the runtime noted of a context', () => {
  it('is out of date where the runtime says so: marked, and never the fill', async () => {
    const { value, text } = await statusOf(storeOf('stale', { totalTokens: 41_913, totalTokensFresh: false }))
    expect(value.freshness).toMatchObject({ runtimeTotal: 41_913, runtimeTotalFresh: false })
    expect(text).toContain('is out of date by its own word')
    expect(value.fill.value).toBeLessThan(2_000)
  })

  it('is true where the runtime says so, and unknown where it says nothing', async () => {
    const fresh = await statusOf(storeOf('fresh', { totalTokens: 1_209, totalTokensFresh: true }))
    expect(fresh.value.freshness).toMatchObject({ runtimeTotal: 1_209, runtimeTotalFresh: true })
    expect(fresh.text).not.toContain('out of date')
    const silent = await statusOf(storeOf('silent', { totalTokens: 1_209 }))
    expect(silent.value.freshness).toMatchObject({ runtimeTotal: 1_209, runtimeTotalFresh: null })
    expect(silent.text).not.toContain('out of date')
  })
})
