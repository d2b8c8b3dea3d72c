import { describe, expect, it } from 'vitest'
import { lineOfColdRecord } from './cold-record'
import { readModelCatalogue, readRuntimeConfig } from './openclaw-config'

const PROVIDERS = {
  a: {
    apiKey: 'secret',
    models: [
      { id: 'm', contextWindow: 64000 },
      { id: 'n', contextWindow: 200000, contextTokens: 100000 },
      { id: 'o' },
      { id: 'p', contextWindow: 'big' },
      'rubbish',
    ],
  },
  b: { models: [{ id: 'm', contextWindow: 32000 }] },
  c: 5,
}

describe('the configuration of OpenClaw', () => {
  it('tells windows by model, and by provider and model', () => {
    const { windows } = readRuntimeConfig({ models: { providers: PROVIDERS } })
    expect({ ...windows }).toEqual({ 'a/m': 64000, m: 64000, 'a/n': 100000, n: 100000, 'b/m': 32000 })
    expect({ ...readModelCatalogue({ providers: PROVIDERS }) }).toEqual({ ...windows })
  })

  it('a limit for all agents caps every window', () => {
    const { windows } = readRuntimeConfig({
      agents: { defaults: { contextTokens: 50000 } },
      models: { providers: PROVIDERS },
    })
    expect(windows.m).toBe(50000)
    expect(windows['b/m']).toBe(32000)
  })

  it('names the store and the agents, and takes over no secret', () => {
    const config = readRuntimeConfig({
      session: { store: '~/s/{agentId}/sessions.json' },
      agents: { list: [{ id: 'main' }, { id: 'ops', token: 'secret' }, 3] },
      models: { providers: PROVIDERS },
      gateway: { auth: { token: 'secret' } },
    })
    expect(config).toMatchObject({ sessionStore: '~/s/{agentId}/sessions.json', agentIds: ['main', 'ops'] })
    expect(JSON.stringify(config)).not.toContain('secret')
  })

  it.each([null, [], 'x', { session: 4, agents: [], models: null }])('%j says nothing', (value) => {
    const { windows, agentIds, sessionStore } = readRuntimeConfig(value)
    expect([{ ...windows }, agentIds, sessionStore]).toEqual([{}, [], undefined])
  })

  it.each([null, 'x', { providers: 4 }, {}])('%j is no catalogue of models', (value) => {
    expect({ ...readModelCatalogue(value) }).toEqual({})
  })

  it('of two windows of one model the smaller one counts, and of two models of one name the first', () => {
    const models = [
      { id: 'm', contextWindow: 1000, contextTokens: 2000 },
      { id: 'm', contextWindow: 5 },
      { id: 'n', contextTokens: 7 },
    ]
    expect({ ...readModelCatalogue({ providers: { a: { models } } }) }).toEqual({
      ...{ 'a/m': 1000, m: 1000, 'a/n': 7, n: 7 },
    })
  })

  it('a model may have any name', () => {
    const { windows } = readRuntimeConfig({
      models: { providers: { x: { models: [{ id: 'constructor', contextWindow: 5 }] } } },
    })
    expect(windows.constructor).toBe(5)
    expect(readRuntimeConfig({}).windows.toString).toBeUndefined()
  })
})

describe('records of cold storage', () => {
  it('hold a transcript line each, or none', () => {
    expect(lineOfColdRecord('{"kind":"event","row":{"seq":1,"event_json":"{\\"a\\":1}"}}')).toBe('{"a":1}')
    expect(lineOfColdRecord('{"kind":"header","version":1}')).toBeNull()
    expect(lineOfColdRecord('{"kind":"identity","row":{"event_id":"a"}}')).toBeNull()
  })

  it('what is no such record is left as it is', () => {
    const noRecords = ['{"type":"session"}', 'torn {', '{"kind":"event","row":{}}', '{"kind":7}', '7', 'null']
    for (const text of [
      ...noRecords,
      '{"kind":"event","row":7}',
      '{"kind":"event","row":{"event_json":7}}',
    ]) {
      expect(lineOfColdRecord(text)).toBe(text)
    }
  })
})
