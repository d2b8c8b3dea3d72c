import { makeActivity } from './demo-activity'
import type { DemoFile } from './demo-file'
import { OPENCLAW_FOLDER, PI_FOLDER } from './demo-folders'
import { DEMO_SETTINGS, demoCompactLine } from './demo-runtime'
import { AGENT_SESSIONS, type AgentSession, PI_SESSIONS } from './demo-scripts'
import { type PlayedSession, playSession } from './play-session'
import { makePromptReport } from './prompt-report'
import { type Random, seededRandom } from './random'
import { demoTokens, type TranscriptLine } from './transcript-writer'

/** Same seed and clock, same bytes. */
const DEMO_SEED = 4747

/** Drops what is not relevant, and notes what it does. */
const MANAGING_AGENT = 'harbour'
const WORKSPACE = '/home/harbour/workspace'
/** System prompt and tools of pi without extensions. */
const PI_PROMPT_CHARS = 9_400

/**
 * The demo: the state folder of a runtime with three agents, and a programmer's pi sessions, with everything that
 * makes real stores interesting.
 * @param now milliseconds since the epoch; the newest session ends a few minutes before it
 * @param root absolute path of the folder that the files go into: settings name places by it
 */
export function makeDemoStore(options: { now: number; root: string; seed?: number }): DemoFile[] {
  const { now, root, seed = DEMO_SEED } = options
  const random = seededRandom(seed)
  const { files, kept } = makeAgents(random, now)
  const pi = makePi(random, now)
  const folder = OPENCLAW_FOLDER
  return [...files, ...pi, ...makeActivity(random, { folder, root: `${root}/${folder}`, sessions: kept })]
}

/** `kept`: sessions of the agent that manages its contexts itself. */
function makeAgents(random: Random, now: number): { files: DemoFile[]; kept: PlayedSession[] } {
  const files: DemoFile[] = [DEMO_SETTINGS]
  const kept: PlayedSession[] = []
  for (const agent of new Set(AGENT_SESSIONS.map((session) => session.agent))) {
    const folder = `${OPENCLAW_FOLDER}/agents/${agent}/sessions`
    const prompt = makePromptReport(random, { workspace: `${WORKSPACE}/${agent}`, at: now })
    const index: Record<string, TranscriptLine> = {}
    for (const session of AGENT_SESSIONS.filter((candidate) => candidate.agent === agent)) {
      const cwd = `${WORKSPACE}/${agent}`
      const compactAt = demoCompactLine('openclaw', session.window)
      const script = { ...session, cwd, compactAt, fixedTokens: prompt.tokens }
      const played = playUntil(random, script, now - session.age)
      const name = `${folder}/${played.sessionId}.jsonl`
      if (session.archived) {
        const at = new Date(played.updatedAt).toISOString().replaceAll(':', '-')
        files.push({ path: `${name}.${session.archived}.${at}`, text: played.text })
        continue
      }
      files.push({ path: name, text: played.text })
      if (agent === MANAGING_AGENT) kept.push(played)
      index[session.key] = indexEntry(session, played, prompt.report)
    }
    files.push({ path: `${folder}/sessions.json`, text: `${JSON.stringify(index, null, 2)}\n` })
  }
  return { files, kept }
}

function makePi(random: Random, now: number): DemoFile[] {
  const fixedTokens = demoTokens('x'.repeat(PI_PROMPT_CHARS))
  return PI_SESSIONS.map((session) => {
    const compactAt = demoCompactLine('pi', session.window)
    const played = playUntil(random, { ...session, compactAt, fixedTokens }, now - session.age)
    const started = new Date(played.script.startedAt).toISOString().replace(/[:.]/g, '-')
    const folder = `--${session.cwd.slice(1).replaceAll('/', '-')}--`
    return {
      path: `${PI_FOLDER}/agent/sessions/${folder}/${started}_${played.sessionId}.jsonl`,
      text: played.text,
    }
  })
}

/** Plays a session so that it ends at `endsAt`: once to learn how long it takes, then shifted. */
function playUntil(
  random: Random,
  script: Omit<PlayedSession['script'], 'startedAt'>,
  endsAt: number,
): PlayedSession {
  const seed = random.int(1, 2 ** 31)
  const trial = playSession({ ...script, startedAt: 0 }, seededRandom(seed))
  return playSession({ ...script, startedAt: endsAt - trial.updatedAt }, seededRandom(seed))
}

function indexEntry(session: AgentSession, played: PlayedSession, report: TranscriptLine): TranscriptLine {
  return {
    sessionId: played.sessionId,
    updatedAt: played.updatedAt,
    sessionStartedAt: played.script.startedAt,
    displayName: session.title,
    ...(session.channel ? { channel: session.channel, chatType: session.chatType } : {}),
    modelProvider: played.provider,
    model: played.model,
    // The runtime's name for the window; it is not usage.
    contextTokens: session.window,
    ...(played.lastPromptFresh ? { totalTokens: played.lastPromptTokens, totalTokensFresh: true } : {}),
    compactionCount: played.compactions,
    systemPromptReport: { ...report, sessionId: played.sessionId, sessionKey: session.key },
  }
}
