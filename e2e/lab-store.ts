import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forgetfulSession } from '../lib/testing/builders/forgetful-session'
import { seededTranscript } from '../lib/testing/builders/seeded-transcript'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { endAsTuning } from '../lib/testing/end-as-tuning'
import { ask } from './ask'
import { startPlimsoll } from './start-plimsoll'
import { dashboard } from './world'

/** Sessions by the folder of their store: a few that need again what was said at their beginning, and many to tune on. */
const [FORGETFUL, SEEDED] = [4, 40]
/** Sessions where what OpenClaw has keys for of a pick costs more by replay: the window is as small as it is kept full. */
const DEAR = 8

const SETTINGS = `{
  // mine
  agents: { defaults: { compaction: { mode: 'default', keepRecentTokens: 24000 } } },
  meta: { lastTouchedVersion: '2026.7.1' },
}
`

/** Stores to replay, and an experiment that looks as if a tuning had found a gain. */
export type LabStore = {
  readonly url: string
  /** The experiment, and the settings of the runtime whose store it was over, as they are now and as they were. */
  readonly tuned: string
  readonly settings: () => string
  readonly before: string
  /** The same of the store whose pick costs more by replay. */
  readonly dear: { readonly tuned: string; readonly settings: () => string; readonly before: string }
}

/** Prompts of OpenClaw with a compaction before each but the first. */
function loop(): string {
  const builder = new TranscriptBuilder({ id: 'loop' })
  for (let i = 0; i < 7; i++) {
    const asked = builder.user('Go on with the berths.')
    if (i > 0) builder.compaction('The berths were counted, and the crew knows. '.repeat(20), asked)
    builder.assistant('Yes.', { usage: { input: 50_000, output: 10, cost: 0.02 } })
  }
  return builder.text()
}

const DEAR_SETTINGS = SETTINGS.replace(
  '// mine',
  `models: { providers: { anthropic: { models: [{ id: 'claude-sonnet-4-5', contextWindow: 33000 }] } } },`,
)

/** Keeps the id of the experiment in a file of the home folder. */
async function keepTuning(home: string, store: string, file: string): Promise<void> {
  const args = ['replay', '--store', store, '--policy', 'everything', '--save', 'Tuning of today', '--json']
  const { code, stdout, stderr } = await startPlimsoll(args, home).ended
  if (code !== 0) throw new Error(`there is no experiment: ${stderr}`)
  const { experiment } = JSON.parse(stdout) as { experiment: string }
  await endAsTuning(join(home, 'state', 'plimsoll.db'), experiment, 'gain')
  writeFileSync(join(home, file), experiment)
}

export const test = dashboard({
  name: 'lab',
  write: async (home) => {
    const folderOf = (name: string) => join(home, name)
    const [few, many, openclaw, dear] = [
      folderOf('few'),
      folderOf('many'),
      folderOf('openclaw'),
      folderOf('dear'),
    ]
    const sessions = join(openclaw, 'agents', 'main', 'sessions')
    const dearSessions = join(dear, 'agents', 'main', 'sessions')
    for (const folder of [few, many, sessions, dearSessions]) mkdirSync(folder, { recursive: true })
    for (let n = 1; n <= FORGETFUL; n++) writeFileSync(join(few, `s${n}.jsonl`), forgetfulSession(n))
    for (let n = 1; n <= SEEDED; n++) writeFileSync(join(many, `m${n}.jsonl`), seededTranscript(n))
    writeFileSync(join(openclaw, 'openclaw.json'), SETTINGS)
    writeFileSync(join(sessions, 'loop.jsonl'), loop())
    writeFileSync(join(dear, 'openclaw.json'), DEAR_SETTINGS)
    for (let n = 0; n < DEAR; n++) writeFileSync(join(dearSessions, `d${n}.jsonl`), seededTranscript(100 + n))
    await keepTuning(home, openclaw, 'tuned')
    await keepTuning(home, dear, 'tuned-dear')
    return { PLIMSOLL_STORES: [few, many, openclaw, dear].join(':') }
  },
  ready: ({ url }) =>
    ask(`${url}/api/lab/sessions`, (answer) =>
      (answer as { sessions: number }).sessions === FORGETFUL + SEEDED + 1 + DEAR ? null : undefined,
    ),
  view: ({ url, folder }): LabStore => ({
    url,
    tuned: readFileSync(join(folder, 'tuned'), 'utf8'),
    settings: () => readFileSync(join(folder, 'openclaw', 'openclaw.json'), 'utf8'),
    before: SETTINGS,
    dear: {
      tuned: readFileSync(join(folder, 'tuned-dear'), 'utf8'),
      settings: () => readFileSync(join(folder, 'dear', 'openclaw.json'), 'utf8'),
      before: DEAR_SETTINGS,
    },
  }),
})
