import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { FLAG, figureOf, json, RowShapeError, rowOf, rowsOf } from './rows'

const answer = (columns: string[], ...rows: (string | number | null)[][]) => ({
  columns,
  columnTypes: columns.map(() => ''),
  rows,
  rowsAffected: 0,
})

const SHAPE = z.object({
  id: z.number(),
  name: z.string().nullable(),
  on: FLAG,
  list: json(z.array(z.number())),
})

describe('rows of a query', () => {
  it('are objects by the names of the columns, in whatever order these come', () => {
    const rows = rowsOf(SHAPE, answer(['list', 'name', 'more', 'on', 'id'], ['[1,2]', null, 'x', 1, 7]))
    expect(rows).toEqual([{ id: 7, name: null, on: true, list: [1, 2] }])
    expect(rowsOf(SHAPE, answer(['id', 'name', 'on', 'list'], [8, 'eight', 0, '[]']))).toEqual([
      { id: 8, name: 'eight', on: false, list: [] },
    ])
  })

  it('hold a number of any size', () => {
    const rows = rowsOf(z.object({ usd: z.number() }), answer(['usd'], [Number.POSITIVE_INFINITY]))
    expect(rows).toEqual([{ usd: Number.POSITIVE_INFINITY }])
  })

  it.each([
    ['a column that is missing, without any row', answer(['id', 'name', 'on'])],
    ['NULL where there is always a value', answer(['id', 'name', 'on', 'list'], [null, null, 1, '[]'])],
    ['a text where a number belongs', answer(['id', 'name', 'on', 'list'], ['7', null, 1, '[]'])],
    ['JSON of another shape', answer(['id', 'name', 'on', 'list'], [7, null, 1, '{}'])],
  ])('are refused with %s', (_, rows) => {
    expect(() => rowsOf(SHAPE, rows)).toThrow(RowShapeError)
  })

  it('are none, and a figure is 0, where nothing was found', () => {
    expect(rowOf(z.object({ id: z.number() }), answer(['id']))).toBeNull()
    expect(figureOf(answer(['n'], [null]))).toBe(0)
    expect(figureOf(answer(['n'], [3]))).toBe(3)
    expect(() => figureOf(answer(['n'], ['3']))).toThrow(RowShapeError)
  })
})
