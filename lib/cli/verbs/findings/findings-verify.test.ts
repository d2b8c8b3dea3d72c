import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { runCli } from '../../../testing/run-cli'
import { sharedFolder, writeFiles } from '../../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
const run = (...argv: string[]) => runCli(['findings', ...argv, '--store', join(folder, 'openclaw')], { env })

/** A session at a moment with prompts of so many tokens; `compacted`: with a compaction before each but the first. */
function session(id: string, at: number, prompts: readonly number[], compacted = false): string {
  const builder = new TranscriptBuilder({ id })
  const over = { timestamp: new Date(at).toISOString() }
  prompts.forEach((input, i) => {
    const asked = builder.user('Go.', over)
    if (i > 0 && compacted) builder.compaction('The berths were counted. '.repeat(30), asked, over)
    builder.assistant('Yes.', { usage: { input, output: 10 }, over })
  })
  return builder.text()
}

function write(name: string, at: number, prompt: number): void {
  const files = Array.from({ length: 12 }, (_, i) => [
    `openclaw/agents/main/sessions/${name}-${i}.jsonl`,
    session(
      `${name}-${i}`,
      at,
      [0, 1, 2, 3].map((call) => prompt + 500 * ((i + call) % 5)),
    ),
  ])
  writeFiles(folder, Object.fromEntries(files))
}

describe('plimsoll findings verify', () => {
  it('compares calls before and after, says what is missing, and that a remedy was taken back', async () => {
    writeFiles(folder, {
      'openclaw/openclaw.json': '{ "meta": { "lastTouchedVersion": "2026.7.1" } }\n',
      'openclaw/agents/main/sessions/loop.jsonl': session(
        'loop',
        Date.now() - 86_400_000,
        Array(7).fill(50_000),
        true,
      ),
    })
    write('before', Date.now() - 86_400_000, 50_000)
    expect((await run('verify')).stdout).toBe('No setting was applied for a finding yet.\n')
    const { findings } = JSON.parse((await run('loop', '--json')).stdout)
    const { id } = findings.find(({ kind }: { kind: string }) => kind === 'compaction-frees-nothing')
    expect((await run('verify', id)).code).toBe(2)
    const { receipt } = JSON.parse((await run('apply', id, '--json')).stdout)
    expect((await run('verify', id)).stdout).toContain(
      'Not enough data yet: 55 comparable calls before, 0 after',
    )

    write('after', Date.now(), 30_000)
    const verified = await run('verify', id, '--json')
    expect(verified.code).toBe(0)
    const [effect] = JSON.parse(verified.stdout).remedies
    expect(effect).toMatchObject({
      ...{ receipt, finding: id, measure: 'prompt', takeBack: null, undoneAt: null },
      verdict: { kind: 'helped', callsBefore: 55, callsAfter: 48 },
      sentence: expect.stringMatching(
        /^Helped\. prompt tokens per call: 5\d.\d{3} → 3\d.\d{3} \(95 % interval/,
      ),
    })
    expect(JSON.parse((await run('verify', id, '--json')).stdout).remedies).toEqual([effect])

    await runCli(['undo', receipt], { env })
    const [back] = JSON.parse((await run('verify', id, '--json')).stdout).remedies
    expect(back.undoneAt).not.toBeNull()
  })
})
