import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { checkTranscript, checkTwice, type LinePorts } from './check-transcript'

function conversation(): string {
  const t = new TranscriptBuilder()
  t.user('hello there')
  t.assistant('and hello to you')
  return t.text()
}
async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 50) yield bytes.subarray(at, at + 50)
}
/** Ports that write down what they are asked for. */
function watched(skeleton: LinePorts['skeleton'] = () => null) {
  const reported: string[] = []
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  const ports: LinePorts = {
    decode: (bytes) => {
      reported.push('whole')
      return text(bytes)
    },
    skeleton: (bytes) => {
      reported.push('short')
      return skeleton(bytes)
    },
  }
  return { reported, ports }
}
const short = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replace(/hello[a-z ]*/, 'x')

describe('M10 how the bytes of a line are read', () => {
  it('in short where that will do, whole where it will not, blank ones not at all', async () => {
    const plain = watched(short)
    expect(await checkTranscript(chunks(`\n${conversation()}  \n`), plain.ports)).toMatchObject({
      ok: true,
      entries: { before: 3 },
    })
    expect(plain.reported).toEqual(['short', 'short', 'short'])
    const whole = watched()
    expect((await checkTranscript(chunks(conversation()), whole.ports)).ok).toBe(true)
    expect(whole.reported).toEqual(['short', 'whole', 'short', 'whole', 'short', 'whole'])
    const torn = watched(() => '{')
    expect((await checkTranscript(chunks(conversation()), torn.ports)).ok).toBe(true)
    expect(torn.reported.filter((one) => one === 'whole')).toHaveLength(3)
  })

  it('twice, where a quick look is not enough, and then alike', async () => {
    let reads = 0
    const reading = (text: string) => () => {
      reads++
      return chunks(text)
    }
    const { ports } = watched(short)
    expect((await checkTwice(reading(conversation()), ports)).ok).toBe(true)
    expect(reads).toBe(1)
    const damaged = `${conversation()}bad\n`
    const twice = await checkTwice(reading(damaged), ports)
    expect(reads).toBe(3)
    expect(twice).toEqual(await checkTranscript(chunks(damaged), ports))
    expect(twice.findings).toMatchObject([{ class: 'unparseable-line', line: 4 }])
  })

  it('not at all beyond 32 MiB, however it begins', async () => {
    const most = 32 * 1024 * 1024
    const text = conversation().trimEnd()
    const last = text.length - text.lastIndexOf('\n') - 1
    // Blanks behind its JSON make the last line as long as wanted.
    const padded = (length: number) =>
      async function* () {
        yield new TextEncoder().encode(text)
        yield new Uint8Array(length - last).fill(0x20)
        yield new TextEncoder().encode('\n')
      }
    const { ports } = watched()
    expect((await checkTranscript(padded(most)(), ports)).notes).toEqual([])
    const long = await checkTranscript(padded(most + 1)(), ports)
    expect(long.notes).toMatchObject([{ class: 'long-line', line: 3 }])
    expect(await checkTwice(padded(most + 1), ports)).toEqual(long)
  })

  it('by the rules of the generation, late ones where none is named', async () => {
    const t = new TranscriptBuilder()
    const content = [{ type: 'toolCall', id: 'a', name: 'fs.read', arguments: {} }]
    t.message({ role: 'assistant', content, stopReason: 'toolUse' })
    t.result('a', 'r')
    const { ports } = watched()
    const read = () => chunks(t.text())
    expect((await checkTwice(read, ports)).ok).toBe(true)
    expect((await checkTranscript(read(), ports)).ok).toBe(true)
    expect((await checkTwice(read, ports, 'early')).ok).toBe(false)
    expect((await checkTranscript(read(), ports, 'early')).ok).toBe(false)
  })

  it('by the rules of another client at once: what is sound of ours need not be sound there', async () => {
    for (const rules of ['claude-code', 'codex'] as const) {
      let reads = 0
      const read = () => {
        reads++
        return chunks(conversation())
      }
      const { ports } = watched(short)
      const checked = await checkTwice(read, ports, rules)
      expect(reads).toBe(1)
      expect(checked).toEqual(await checkTranscript(chunks(conversation()), ports, rules))
      expect(checked).not.toEqual(await checkTwice(() => chunks(conversation()), ports))
    }
  })
})
