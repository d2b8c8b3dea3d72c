import { describe, expect, it } from 'vitest'
import {
  chooseSort,
  DEFAULT_LIST_PARAMS,
  listQuery,
  parseListParams,
  type SessionListParams,
  searchFor,
  sortBy,
} from './session-list'

const read = (query: string) => {
  const search = new URLSearchParams(query)
  return parseListParams((name) => search.get(name))
}

describe('X2: the list of sessions lives in its address', () => {
  it('says nothing when nothing is chosen', () => {
    expect(listQuery(DEFAULT_LIST_PARAMS)).toBe('')
    expect(read('')).toEqual(DEFAULT_LIST_PARAMS)
  })

  it('brings every choice back', () => {
    const params: SessionListParams = {
      q: 'the "red buoy" & more',
      kind: 'codex',
      store: 'abc',
      agent: 'main',
      model: 'claude/sonnet 4',
      state: 'gone',
      copies: 'e85cffbe31',
      agents: 'c0ffee',
      tool: 'read',
      sort: 'fill',
      direction: 'asc',
    }
    expect(read(listQuery(params))).toEqual(params)
  })

  it('leaves out what makes no sense', () => {
    expect(read('sort=price&dir=up')).toEqual(DEFAULT_LIST_PARAMS)
    expect(read('sort=relevance').sort).toBe('updated')
    expect(read(`q=${'x'.repeat(500)}`).q).toHaveLength(200)
  })

  it('orders by relevance while searching, unless a column was chosen', () => {
    const searching = searchFor(DEFAULT_LIST_PARAMS, 'buoy')
    expect(searching.sort).toBe('relevance')
    expect(searchFor(searching, '').sort).toBe('updated')
    expect(searchFor(sortBy(DEFAULT_LIST_PARAMS, 'cost'), 'buoy').sort).toBe('cost')
  })

  it('turns a column round at the second click', () => {
    const byName = sortBy(DEFAULT_LIST_PARAMS, 'name')
    expect(byName.direction).toBe('asc')
    expect(sortBy(byName, 'name').direction).toBe('desc')
    expect(sortBy(DEFAULT_LIST_PARAMS, 'fill').direction).toBe('desc')
  })

  it('leaves the direction as it is when the same column is chosen once more', () => {
    const byCost = chooseSort(sortBy(DEFAULT_LIST_PARAMS, 'name'), 'cost')
    expect(byCost).toMatchObject({ sort: 'cost', direction: 'desc' })
    expect(chooseSort(byCost, 'cost')).toEqual(byCost)
    const turned = sortBy(byCost, 'cost')
    expect(chooseSort(turned, 'cost').direction).toBe('asc')
  })
})
