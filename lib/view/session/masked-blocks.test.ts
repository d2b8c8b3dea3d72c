import { describe, expect, it } from 'vitest'
import { maskBlocks } from './masked-blocks'

const SECRET = ['gh', 'p_', 'Zx81Qw72Er63Ty54Ui45Op36'].join('')

describe('X20 maskBlocks', () => {
  const blocks = [
    { kind: 'text', text: `the key is ${SECRET}, keep it` },
    { kind: 'image', mimeType: 'image/png', bytes: 3 },
    { kind: 'output', text: `${'x '.repeat(90)}${SECRET}` },
  ] as const

  it('covers credentials, also those that the cut goes through, and counts them', () => {
    const { blocks: masked, secrets } = maskBlocks(blocks, 190, false)
    expect(secrets).toBe(2)
    expect(JSON.stringify(masked)).not.toMatch(/ghp_|Zx81/)
    expect(masked[2]).toMatchObject({ chars: 180 + SECRET.length })
    expect(masked[0]).toMatchObject({ text: `the key is ${'•'.repeat(SECRET.length)}, keep it` })
  })

  it('covers them in the names and ids of calls and data', () => {
    const call = { kind: 'call', name: `exec ${SECRET}`, id: SECRET, text: '' } as const
    const named = [call, { kind: 'data', name: SECRET, text: '{}' } as const]
    expect(JSON.stringify(maskBlocks(named, 190, false))).not.toMatch(/ghp_|Zx81/)
    expect(maskBlocks(named, 190, true).blocks[0]).toMatchObject({ id: SECRET })
  })

  it('shows them when asked to, and still counts them', () => {
    const { blocks: shown, secrets } = maskBlocks(blocks, 4_000, true)
    expect(secrets).toBe(2)
    expect(JSON.stringify(shown)).toContain(SECRET)
  })
})
