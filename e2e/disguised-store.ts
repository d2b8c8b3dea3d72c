import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { random } from '../lib/testing/hostile/random-text'
import { ask } from './ask'
import { dashboard } from './world'

/** Reorders what follows, and clears the line before it. */
const MARKS = '\u202e\u001b[2K\u009b31m'

const token = () => `gh${'p_'}${random.base62(36)}`

/** Credentials in every name that a store may give to something. */
const TOKENS = {
  title: token(),
  key: token(),
  model: token(),
  provider: token(),
  agent: token(),
  folder: token(),
  tool: token(),
  type: token(),
  label: token(),
  error: token(),
  file: token(),
  cause: token(),
  asked: token(),
}

export type Disguised = {
  readonly url: string
  readonly id: string
  readonly tokens: { readonly [place in keyof typeof TOKENS]: string }
}

/** A session that looks like another, with a credential in each of its names. */
function transcript(): string {
  const builder = new TranscriptBuilder({ id: 's1', cwd: `/w/${MARKS}${TOKENS.folder}` })
  builder.entry('session_info', { name: `Harbour ${MARKS}${TOKENS.title}` })
  const user = builder.user('Please count the barrels.')
  const model = { provider: `p${MARKS}${TOKENS.provider}`, model: `m${MARKS}${TOKENS.model}` }
  builder.entry('model_change', { provider: model.provider, modelId: model.model })
  builder.assistant('Counting.', {
    usage: { input: 1_200, output: 30, cost: 0.1 },
    fields: {
      ...model,
      content: [
        { type: 'toolCall', id: 't1', name: `exec${MARKS}${TOKENS.tool}`, arguments: { path: TOKENS.file } },
      ],
      stopReason: 'toolUse',
    },
  })
  builder.message({
    role: 'toolResult',
    toolCallId: 't1',
    toolName: `exec${MARKS}${TOKENS.tool}`,
    content: [{ type: 'text', text: `Error: ${TOKENS.error}` }],
    isError: true,
  })
  builder.compaction(`Barrels were counted: ${TOKENS.file}`, user, { tokensBefore: 1_000 })
  builder.entry('label', { targetId: user, label: `${MARKS}${TOKENS.label}` })
  builder.entry(`novel${MARKS}${TOKENS.type}`, { x: 1 })
  builder.raw(`{"type":"message","id":"${TOKENS.error}`)
  builder.assistant('', {
    usage: { input: 1_500, output: 30 },
    stop: 'error',
    fields: { ...model, errorMessage: `refused ${MARKS}${TOKENS.error}` },
  })
  return builder.text()
}

/** A dashboard over that store. */
export const test = dashboard({
  name: 'disguised',
  write: (folder) => {
    const sessions = join(folder, 'openclaw', 'agents', 'main', 'sessions')
    mkdirSync(sessions, { recursive: true })
    const name = `bidi${MARKS}lnosj`
    writeFileSync(join(sessions, `${name}.jsonl`), transcript())
    const entry = {
      sessionId: 's1',
      sessionFile: `${name}.jsonl`,
      updatedAt: Date.now(),
      label: TOKENS.title,
    }
    writeFileSync(
      join(sessions, 'sessions.json'),
      JSON.stringify({ [`agent:main:${MARKS}${TOKENS.key}`]: entry }),
    )
    const state = join(folder, 'state')
    const [cold, logs] = [join(state, 'cold-storage', 's1'), join(state, 'logs', 'context')]
    for (const each of [cold, logs]) mkdirSync(each, { recursive: true })
    const at = new Date().toISOString()
    const chunk = {
      chunk_id: `e2${MARKS}x`,
      session_id: 's1',
      timestamp: at,
      content: `the tide table ${TOKENS.asked}`,
      tokens: 300,
      drop_reason: `low${MARKS}${TOKENS.cause}`,
      relevance_score: 0.2,
      prompt_at_drop: `Which one? ${TOKENS.asked}`,
      recoverable_until: new Date(Date.now() + 86_400_000).toISOString(),
    }
    writeFileSync(join(cold, 'e2.jsonl'), `${JSON.stringify(chunk)}\n`)
    const { content: _content, ...drop } = chunk
    writeFileSync(join(logs, 'drops.jsonl'), `${JSON.stringify({ event: 'drop', ...drop })}\n`)
    return { PLIMSOLL_HOME: state, PLIMSOLL_STORES: join(folder, 'openclaw') }
  },
  view: async ({ url }): Promise<Disguised> => {
    const id = await ask(`${url}/api/sessions`, (answer) => {
      const [row] = (answer as { rows: { id: string }[] }).rows
      return row?.id
    })
    return { url, id, tokens: TOKENS }
  },
})
