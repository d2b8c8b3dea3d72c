import { type JsonObject, parseObject } from '../../transcript/json'
import type { Finding, FindingClass } from '../finding'
import type { TextSpan } from '../json-scan'
import type { CheckLine, LineCheck, RepairCheck } from '../line-check'
import { Notes } from '../notes'
import type { BadLine } from '../plan'
import { type Salvaged, splitJoined, withoutStrayBytes } from '../salvage'
import { tornClass } from '../torn-class'
import { type ClientForm, clientRisk } from './client-findings'
import { ClientLine } from './client-line'
import { clientPlan } from './client-plan'

/**
 * What is the same of all clients that write a line of JSON for each entry: lines that cannot be read, that grew together
 * or were torn, and the end of the file. Holds ids and names, no texts.
 */
export abstract class ClientCheck implements LineCheck {
  protected readonly lines: ClientLine[] = []
  protected readonly notes = new Notes()
  private readonly bad: BadLine[] = []
  private readonly findings: Finding[] = []
  private unended: number | null = null
  private isReadable = true
  private importable = 0
  private readonly form: ClientForm
  private readonly beginning: RegExp

  /** @param beginning how an entry begins; global */
  constructor(form: ClientForm, beginning: RegExp) {
    this.form = form
    this.beginning = beginning
  }

  /** Takes an entry. @param text its JSON */
  protected abstract read(value: JsonObject, line: ClientLine, text: string): void

  /** Id and parent of what cannot be read, as far as they are in it: what names it goes on from there. */
  protected abstract lost(text: string): void

  /** Looks at all entries together. */
  protected abstract mend(): void

  /** A line that is too long to be read. */
  protected abstract opaque(line: ClientLine): void

  addSkeleton(): boolean {
    return false
  }

  add(line: CheckLine): void {
    const { text } = line
    if (!line.ended) this.unended = line.line
    if (line.cut) {
      const long = new ClientLine(line.line)
      this.notes.add('long-line', line.line, 'The line is too long to be looked at, and stays as it is.')
      this.lines.push(long)
      this.opaque(long)
      return
    }
    const value = parseObject(text)
    if (value !== null) this.take(value, new ClientLine(line.line), text)
    else this.addBad(line)
    this.notes.ofLine(text, line.line)
  }

  finish(): RepairCheck {
    const { form } = this
    const isEmpty = this.lines.length === 0 && this.bad.length === 0
    if (isEmpty) this.notes.add('empty-file', 1, 'The file is empty: a session that has not begun.')
    const last = this.lines.at(-1)
    if (last !== undefined && last.line === this.unended && last.part === undefined)
      this.report('no-final-newline', last, 'a newline is put behind it')
    this.mend()
    const plan = clientPlan(this.lines, this.bad, this.unended)
    const before = this.lines.filter(({ made }) => made === null).length
    const dropped = this.lines.filter((line) => line.dropped).length
    return {
      ok: this.findings.length === 0,
      form,
      kind: isEmpty ? 'empty' : 'transcript',
      findings: this.findings.toSorted((a, b) => a.line - b.line),
      notes: this.notes.list(),
      plan,
      entries: { before, dropped, after: this.lines.length - dropped },
      importable: this.importable,
      refusals: { before: [], after: [] },
    }
  }

  protected report(found: FindingClass, line: ClientLine, fix: string): void {
    line.reasons.push(fix)
    const risk = clientRisk(this.form, found)
    this.findings.push({ class: found, line: line.line, entryId: line.uuid, risk, fix })
  }

  private take(value: JsonObject, line: ClientLine, text: string): void {
    this.lines.push(line)
    if (this.isReadable) this.importable++
    this.read(value, line, text)
  }

  private addBad(line: CheckLine): void {
    const { text } = line
    const stripped = withoutStrayBytes(text)
    if (stripped !== null) {
      this.takePart(line, stripped, 'stray-bytes')
      return
    }
    const parts = splitJoined(text, this.beginning)
    for (const part of parts) {
      if (part.kind === 'entry') this.takePart(line, part, 'joined-lines')
      else this.addTorn(line, part)
    }
    if (parts.length === 0) this.addTorn(line, null)
  }

  private takePart({ line, text }: CheckLine, { from, to, value }: Salvaged, found: FindingClass): void {
    const entry = new ClientLine(line, [from, to])
    this.take(value, entry, text.slice(from, to))
    this.report(found, entry, 'the entry is set free')
  }

  private addTorn(line: CheckLine, part: TextSpan | null): void {
    this.isReadable = false
    const text = part === null ? line.text : line.text.slice(part.from, part.to)
    this.lost(text)
    const found = tornClass(line, part)
    const reason = 'dropped; the backup keeps it'
    const place = part === null ? {} : { part: [part.from, part.to] as const }
    this.bad.push({ line: line.line, ...place, found, reason })
    const risk = clientRisk(this.form, found)
    this.findings.push({ class: found, line: line.line, entryId: null, risk, fix: reason })
  }
}
