import { expect, it } from 'vitest'
import { readPolicy } from '../read-policy'
import { parseSource } from '../source-tree'

const read = (text: string, include?: string) =>
  readPolicy(parseSource(text, 'openclaw.json'), (path) =>
    include === undefined ? null : parseSource(include, path),
  )
const models = (text: string) => `{ models: { providers: { p: { models: ${text} } } } }`

it.each<[string, string, object | undefined]>([
  ['the window of a model', '[{ id: "a", contextWindow: 9 }]', { a: 9 }],
  ['what of it is used counts more', '[{ id: "a", contextWindow: 9, contextTokens: 8 }]', { a: 8 }],
  ['a name with dots is one name', '[{ id: "a.1", contextTokens: 8 }]', { 'a.1': 8 }],
  ['a model without a window', '[{ id: "a" }, { id: "b", contextWindow: 7 }]', { b: 7 }],
  ['a window without a model', '[{ contextWindow: 9 }]', undefined],
  ['no list of models', '5', undefined],
])('B1 OpenClaw’s own models: %s', (_name, list, byModel) => {
  const { patch, problems } = read(models(list))
  expect(patch.window?.byModel).toEqual(byModel)
  expect(problems).toEqual([])
})

it('B1 a window that is none is named with its place', () => {
  const { patch, places, problems } = read(
    models('[{ id: "a", contextWindow: 9 }, { id: "b", contextWindow: "big" }]'),
  )
  expect(patch.window?.byModel).toEqual({ a: 9 })
  expect(places['window.byModel.a']?.key).toBe('models.providers.p.models[0]')
  expect(problems).toMatchObject([{ severity: 'error', key: 'models.providers.p.models[1]' }])
})

it('B1 providers without models, and models of a file that is included elsewhere, say nothing', () => {
  expect(read('{ models: { providers: { p: {}, q: 5 } } }').patch).toEqual({})
  expect(read('{ models: { providers: [1] } }').patch).toEqual({})
  const elsewhere = read('{ other: { $include: "m.json" } }', models('[{ id: "a", contextWindow: 9 }]'))
  expect(elsewhere.patch).toEqual({})
  const here = read('{ $include: "m.json" }', models('[{ id: "a", contextWindow: 9 }]'))
  expect(here.patch).toEqual({ window: { byModel: { a: 9 } } })
})
