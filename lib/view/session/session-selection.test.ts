import { describe, expect, it } from 'vitest'
import { type ContextSelection, DEFAULT_SELECTION, parseSelection, selectionQuery } from './session-selection'

describe('X4 the URL holds what is chosen', () => {
  const chosen: ContextSelection = {
    call: 211,
    range: { from: 100, to: 300 },
    scale: 'fit',
    sort: 'tokens',
    descending: true,
    category: 'tool-result',
    chart: 'table',
    entry: 0,
    policy: 'vs7',
  }

  it('comes back from the URL as it went', () => {
    const query = selectionQuery(chosen)
    expect(query).toBe(
      '?call=211&from=100&to=300&scale=fit&sort=tokens&dir=desc&category=tool-result&view=table&entry=0&policy=vs7',
    )
    expect(parseSelection(Object.fromEntries(new URLSearchParams(query)))).toEqual(chosen)
  })

  it('leaves the URL alone when nothing is chosen', () => {
    expect(selectionQuery(DEFAULT_SELECTION)).toBe('')
    expect(parseSelection({})).toEqual(DEFAULT_SELECTION)
  })

  it('takes nonsense for nothing', () => {
    expect(
      parseSelection({
        call: '-4',
        from: '9',
        to: '3',
        sort: '<script>',
        category: 'x',
        dir: 'up',
        scale: ['fit'],
      }),
    ).toEqual(DEFAULT_SELECTION)
    expect(parseSelection({ scale: 'window' }).scale).toBe('window')
    expect(parseSelection({ call: '0' }).call).toBeNull()
    expect(parseSelection({ call: '1e3' }).call).toBeNull()
  })
})
