import { describe, expect, it } from 'vitest'
import { matchItems } from './palette'

const items = [
  { id: 'a', label: 'Sessions', about: 'every session' },
  { id: 'b', label: 'Stores', about: 'where sessions are read from' },
  { id: 'c', label: 'Dark theme', about: 'appearance' },
]
const ids = (typed: string) => matchItems(items, typed).map((item) => item.id)

describe('X19: the palette', () => {
  it('offers everything before anything is typed', () => {
    expect(ids(' ')).toEqual(['a', 'b', 'c'])
  })

  it('finds by every word of label and description, in any order', () => {
    expect(ids('read SESSIONS')).toEqual(['b'])
    expect(ids('session')).toEqual(['a', 'b'])
    expect(ids('theme sessions')).toEqual([])
  })

  it('puts a label that begins with the text first', () => {
    expect(ids('s')).toEqual(['a', 'b'])
    expect(ids('st')).toEqual(['b'])
    expect(ids('sto')[0]).toBe('b')
  })
})
