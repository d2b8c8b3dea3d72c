/** Characters of a text, from and up to. */
export type TextSpan = { readonly from: number; readonly to: number }

/**
 * Where the object that begins at a place ends; or where it ceases to be JSON, with the object or list that ended right
 * before that place. Every object that had begun by then and had not ended is torn at that place as well, so that no
 * character needs to be read twice.
 */
export type ObjectScan =
  | { readonly kind: 'whole'; readonly to: number }
  | { readonly kind: 'torn'; readonly at: number; readonly before: TextSpan | null }

/** Reads one object of a text once, from front to back, however deep it is. */
export function scanObject(text: string, from: number): ObjectScan {
  return new Scan(text, from).object()
}

type Step = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'next'

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

class Scan {
  private readonly text: string
  private at: number
  /** Where the objects and lists that have not ended yet begin. */
  private readonly open: number[] = []
  private last: TextSpan | null = null

  constructor(text: string, from: number) {
    this.text = text
    this.at = from
  }

  object(): ObjectScan {
    for (let step: Step | null = 'value'; step !== null; ) {
      this.skipSpace()
      step = this.take(step)
      if (step !== null && this.open.length === 0) return { kind: 'whole', to: this.at }
    }
    return { kind: 'torn', at: this.at, before: this.justEnded() }
  }

  /** What is to come then; null where it does not go on as JSON. */
  private take(step: Step): Step | null {
    const sign = this.text[this.at]
    switch (step) {
      case 'colon':
        return this.pass(sign === ':', 'value')
      case 'next':
        if (sign === ',') return this.pass(true, this.isInList() ? 'value' : 'key')
        return this.end(sign)
      case 'first key':
      case 'key':
        if (step === 'first key' && sign === '}') return this.end(sign)
        return sign === '"' && this.passString() ? 'colon' : null
      default:
        return step === 'first value' && sign === ']' ? this.end(sign) : this.takeValue(sign)
    }
  }

  private takeValue(sign: string | undefined): Step | null {
    if (sign === '{' || sign === '[') {
      this.open.push(this.at)
      return this.pass(true, sign === '{' ? 'first key' : 'first value')
    }
    return (sign === '"' ? this.passString() : this.match(NUMBER) || this.match(WORD)) ? 'next' : null
  }

  private end(sign: string | undefined): Step | null {
    if (sign !== (this.isInList() ? ']' : '}')) return null
    this.at++
    this.last = { from: this.open.pop() ?? 0, to: this.at }
    return 'next'
  }

  private isInList(): boolean {
    return this.text[this.open.at(-1) ?? 0] === '['
  }

  private pass(isThere: boolean, next: Step): Step | null {
    if (!isThere) return null
    this.at++
    return next
  }

  /** Stops at the first character that cannot be in a string. */
  private passString(): boolean {
    const { text } = this
    for (this.at++; this.at < text.length; ) {
      const sign = text[this.at] ?? ''
      if (sign === '\\') {
        if (!this.match(ESCAPE)) return false
      } else if (sign < ' ') return false
      else {
        this.at++
        if (sign === '"') return true
      }
    }
    return false
  }

  private match(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.text)) return false
    this.at = pattern.lastIndex
    return true
  }

  private skipSpace(): void {
    while (isSpace(this.text[this.at])) this.at++
  }

  private justEnded(): TextSpan | null {
    if (this.last === null) return null
    for (let at = this.last.to; at < this.at; at++) if (!isSpace(this.text[at])) return null
    return this.last
  }
}

function isSpace(sign: string | undefined): boolean {
  return sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t'
}
