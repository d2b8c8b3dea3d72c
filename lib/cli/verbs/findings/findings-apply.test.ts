import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { runCli } from '../../../testing/run-cli'
import { temporaryFolder, writeFiles } from '../../../testing/store-folder'

const SETTINGS = `{
  // mine
  meta: { lastTouchedVersion: '2026.7.1' },
  agents: { defaults: { compaction: { mode: 'default', keepRecentTokens: 24000 } } }, /* end */
}
`

/** Prompts with a compaction before each but the first. */
function loop(count: number): string {
  const builder = new TranscriptBuilder({ id: 'loop' })
  for (let i = 0; i < count; i++) {
    const asked = builder.user('Go.')
    if (i > 0) builder.compaction('The berths were counted, and the crew knows. '.repeat(20), asked)
    builder.assistant('Yes.', { usage: { input: 50_000, output: 10 } })
  }
  return builder.text()
}

let folder: string
let env: Record<string, string>
const run = (...argv: string[]) => runCli(['findings', ...argv, '--store', join(folder, 'openclaw')], { env })

beforeEach(() => {
  folder = temporaryFolder()
  env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
  writeFiles(folder, {
    'openclaw/agents/main/sessions/loop.jsonl': loop(7),
    'openclaw/openclaw.json': SETTINGS,
  })
})

async function idOf(kind: string): Promise<string> {
  const { findings } = JSON.parse((await run('--json')).stdout)
  return findings.find((finding: { kind: string }) => finding.kind === kind).id
}

const settings = () => readFileSync(join(folder, 'openclaw/openclaw.json'), 'utf8')
const everything = () => readdirSync(folder, { recursive: true }).map(String).sort()

describe('plimsoll findings apply (X11, X17)', () => {
  it('shows the change of the runtime’s own file, and writes nothing with --dry-run', async () => {
    const id = await idOf('compaction-frees-nothing')
    const before = everything()
    const { code, stdout } = await run('apply', id, '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toContain('keepRecentTokens: 24000')
    expect(stdout).toContain('keepRecentTokens: 12000')
    expect(stdout).toContain('Nothing was written.')
    expect(settings()).toBe(SETTINGS)
    expect(everything()).toEqual(before)
  })

  it('writes it with a receipt, and undo gives the bytes back', async () => {
    const id = await idOf('compaction-frees-nothing')
    const { code, stdout } = await run('apply', id, '--json')
    expect(code).toBe(0)
    const done = JSON.parse(stdout)
    expect(done).toMatchObject({
      key: 'agents.defaults.compaction.keepRecentTokens',
      from: 24_000,
      to: 12_000,
      changed: true,
      dryRun: false,
    })
    expect(settings()).toBe(SETTINGS.replace('24000', '12000'))
    const audit = await runCli(['audit', '--json'], { env })
    expect(audit.stdout).toContain(done.receipt)
    expect((await runCli(['undo', done.receipt], { env })).code).toBe(0)
    expect(settings()).toBe(SETTINGS)
  })

  it('offers nothing whose effect in the runtime’s version is not known', async () => {
    const id = await idOf('compaction-frees-nothing')
    writeFiles(folder, { 'openclaw/openclaw.json': SETTINGS.replace('2026.7.1', '2027.3.1') })
    const { code, stdout } = await run('apply', id)
    expect(code).toBe(1)
    expect(stdout).toContain('is not known')
    expect(stdout).toContain('Run: plimsoll prune loop')
  })

  it('refuses wrong use', async () => {
    expect((await run('apply')).code).toBe(2)
    expect((await run('apply', 'nothing.123')).code).toBe(2)
    expect((await run('loop', 'more')).code).toBe(2)
  })
})
