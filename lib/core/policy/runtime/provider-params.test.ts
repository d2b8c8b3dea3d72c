import { expect, it } from 'vitest'
import { runtimeLines } from '../../budget/runtime-lines'
import { SessionLoads } from '../../budget/session-loads'
import { NO_SUBJECT } from '../effective'
import { readPolicy } from '../read-policy'
import { parseSource } from '../source-tree'
import { runtimePolicy } from './runtime-policy'

function lineOf(agents: string, provider: string, agent = 'main') {
  const file = readPolicy(parseSource(`{ agents: ${agents} }`, 'openclaw.json'))
  const store = {
    ...({ owner: 'openclaw', era: 'sqlite', own: null } as const),
    version: { value: '2026.9.6', from: 'openclaw.json' },
    files: [{ label: 'openclaw.json', file }],
  }
  const runtime = runtimePolicy(store, { ...NO_SUBJECT, provider, model: 'm', agent, at: null })
  const line = runtimeLines(runtime, 200_000).find(({ kind }) => kind === 'provider')
  return { line: line?.tokens ?? null, problems: file.problems.map(({ key, severity }) => [severity, key]) }
}

it('X9 the provider compacts where the settings of OpenClaw say, for the model and the agent', () => {
  expect(lineOf('{}', 'openai').line).toBe(140_000)
  expect(lineOf('{ defaults: { params: { responsesServerCompaction: false } } }', 'openai').line).toBeNull()
  const models = (params: string) =>
    `models: { "openai/m": { params: ${params} }, "openai/n": { params: { responsesCompactThreshold: 1 } } }`
  const threshold = `{ defaults: { ${models('{ responsesCompactThreshold: 120000 }')} } }`
  expect(lineOf(threshold, 'openai').line).toBe(120_000)
  const ofAgents = `{ defaults: { ${models('{ responsesServerCompaction: false }')} },
    list: [{ id: "main", params: { responsesServerCompaction: true } }], entries: { ops: { ${models('{ responsesServerCompaction: true, responsesCompactThreshold: 90000 }')} } } }`
  expect(lineOf(ofAgents, 'openai').line).toBe(140_000)
  expect(lineOf(ofAgents, 'openai', 'ops').line).toBe(90_000)
  expect(lineOf(ofAgents, 'openai', 'other').line).toBeNull()
})

it('X9 so does Anthropic, which must be asked, and never acts below 50,000', () => {
  expect(lineOf('{}', 'anthropic').line).toBeNull()
  const on = (more = '') => `{ defaults: { params: { anthropicServerCompaction: true${more} } } }`
  expect(lineOf(on(), 'anthropic').line).toBe(140_000)
  expect(lineOf(on(', anthropicCompactThreshold: 120000'), 'anthropic').line).toBe(120_000)
  expect(lineOf(on(', anthropicCompactThreshold: 9'), 'anthropic').line).toBe(50_000)
})

it('X9 what has another shape there is passed over with a warning', () => {
  const odd = lineOf(
    '{ defaults: { params: { responsesServerCompaction: "no", responsesCompactThreshold: -1 } } }',
    'openai',
  )
  expect(odd).toEqual({
    line: 140_000,
    problems: [
      ['warning', 'agents.defaults.params.responsesServerCompaction'],
      ['warning', 'agents.defaults.params.responsesCompactThreshold'],
    ],
  })
  expect(lineOf('{ defaults: { params: 5, models: [1] }, list: [7], entries: 3 }', 'openai').line).toBe(
    140_000,
  )
})

it('X9 sessions of other agents of a store do not share the answer of the first', () => {
  const text =
    '{ agents: { list: [{ id: "ops", params: { responsesServerCompaction: false } }], defaults: { params: { responsesCompactThreshold: 90000 } } } }'
  const files = [{ label: 'openclaw.json', file: readPolicy(parseSource(text, 'openclaw.json')) }]
  const loads = new SessionLoads(() => ({
    owner: 'openclaw',
    era: 'sqlite',
    own: null,
    version: null,
    files,
  }))
  const session = {
    ...{ storeId: 'a', storeRoot: '/a', sessionId: 's', key: null, channel: null, provider: 'openai' },
    ...{ model: 'm', window: 200_000, windowSource: 'index', updatedAt: null },
    ...{ believedWindow: null, believedSource: null },
  }
  const providerOf = (agent: string) => loads.policyOf({ ...session, agent }).runtime.provider
  expect(['main', 'ops', 'main'].map(providerOf)).toEqual(['openai', null, 'openai'])
})
