import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import { TranscriptBuilder } from '../builders/transcript'
import { runCli } from '../run-cli'
import { temporaryFolder, writeFiles } from '../store-folder'

/** Settings of an operator who has comments in them. */
export const LOOP_SETTINGS = `{
  // mine
  meta: { lastTouchedVersion: '2026.7.1' },
  agents: { defaults: { compaction: { mode: 'default', keepRecentTokens: 24000 } } }, /* end */
}
`

/** So many prompts with a compaction before each but the first. */
export function loopingSession(count: number): string {
  const builder = new TranscriptBuilder({ id: 'loop' })
  for (let i = 0; i < count; i++) {
    const asked = builder.user('Go.')
    if (i > 0) builder.compaction('The berths were counted, and the crew knows. '.repeat(20), asked)
    builder.assistant('Yes.', { usage: { input: 50_000, output: 10 } })
  }
  return builder.text()
}

/** A store of OpenClaw, made anew for each test, whose compactions free nothing. */
export type LoopingStore = {
  /** The store is in its folder `openclaw`. */
  readonly folder: string
  readonly env: Record<string, string>
  /** The text of the runtime's own settings as it is now. */
  settings(): string
  /** Runs the command line. */
  run(...argv: string[]): ReturnType<typeof runCli>
  /** The id of the finding of this kind. */
  idOf(kind: string): Promise<string>
}

/** Call it where tests are described: it fills what it answers before each of them. */
export function loopingStore(): LoopingStore {
  let folder = ''
  const env = () => ({ HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') })
  beforeEach(() => {
    folder = temporaryFolder()
    writeFiles(folder, {
      'openclaw/agents/main/sessions/loop.jsonl': loopingSession(7),
      'openclaw/openclaw.json': LOOP_SETTINGS,
    })
  })
  const run = (...argv: string[]) => runCli(argv, { env: env() })
  return {
    get folder() {
      return folder
    },
    get env() {
      return env()
    },
    settings: () => readFileSync(join(folder, 'openclaw/openclaw.json'), 'utf8'),
    run,
    idOf: async (kind) => {
      const { stdout } = await run('findings', '--json', '--store', join(folder, 'openclaw'))
      return JSON.parse(stdout).findings.find((finding: { kind: string }) => finding.kind === kind).id
    },
  }
}
