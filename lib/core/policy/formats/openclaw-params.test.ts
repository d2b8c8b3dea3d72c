import { expect, it } from 'vitest'
import { readPolicy } from '../read-policy'
import { parseSource } from '../source-tree'

const read = (agents: string) => readPolicy(parseSource(`{ agents: ${agents} }`, 'openclaw.json'))
const params = (text: string) => `{ params: ${text} }`

it('X9 the parameters of the provider come weakest first, each with its model and agent', () => {
  const threshold = (n: number) => params(`{ anthropicCompactThreshold: ${n} }`)
  const { providerParams, problems } = read(`{
    list: [{ id: "main", params: { anthropicCompactThreshold: 4 }, models: { "a/x": ${threshold(3)} } }, { params: { anthropicCompactThreshold: 9 } }],
    entries: { ops: { params: { anthropicServerCompaction: false } } },
    defaults: { params: { anthropicCompactThreshold: 1, temperature: 1 }, models: { "a/x": ${threshold(2)}, "a/y": {} } },
  }`)
  expect(problems).toEqual([])
  expect(providerParams).toEqual([
    { model: null, agent: null, params: { anthropicCompactThreshold: 1 } },
    { model: 'a/x', agent: null, params: { anthropicCompactThreshold: 2 } },
    { model: 'a/x', agent: 'main', params: { anthropicCompactThreshold: 3 } },
    { model: null, agent: 'main', params: { anthropicCompactThreshold: 4 } },
    { model: null, agent: 'ops', params: { anthropicServerCompaction: false } },
  ])
})

it.each<[string, string, RegExp]>([
  ['responsesServerCompaction', '1', /true or false/],
  ['anthropicServerCompaction', '"true"', /true or false/],
  ['responsesCompactThreshold', '0', /whole number of tokens above 0/],
  ['responsesCompactThreshold', '1.5', /whole number/],
  ['anthropicCompactThreshold', '"9"', /whole number/],
  ['anthropicCompactThreshold', 'true', /whole number/],
])('X9 %s: %s is passed over, with what belongs there', (key, value, message) => {
  const { providerParams, problems } = read(`{
    defaults: { models: { "a/x": { params: {\n ${key}: ${value} } } } } }`)
  expect(providerParams).toBeUndefined()
  expect(problems).toEqual([
    {
      ...{ severity: 'warning', file: 'openclaw.json', line: 3, column: key.length + 4 },
      key: `agents.defaults.models.a/x.params.${key}`,
      message: expect.stringMatching(message),
    },
  ])
})

it('X9 the agents of a list are named by their place in it, those of a group by their key', () => {
  const bad = params('{ responsesCompactThreshold: -1 }')
  const keys = read(
    `{ list: [{ id: 7 }, { id: "a", models: { m: ${bad} } }], entries: { b: ${bad} } }`,
  ).problems
  expect(keys.map(({ key }) => key)).toEqual([
    'agents.list[1].models.m.params.responsesCompactThreshold',
    'agents.entries.b.params.responsesCompactThreshold',
  ])
})

it('X9 the same in a file that is included elsewhere says nothing', () => {
  const text = '{ agents: { defaults: { params: { responsesServerCompaction: false } } } }'
  const file = (at: string) =>
    readPolicy(parseSource(at, 'openclaw.json'), (path) => parseSource(text, path)).providerParams
  expect(file('{ x: { $include: "a.json" } }')).toBeUndefined()
  expect(file('{ $include: "a.json" }')).toHaveLength(1)
})
