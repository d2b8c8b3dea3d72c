'use client'

/** What was typed before the palette was there. */
let typed = ''

export function earlyTyping(): string {
  return typed
}

export function forgetEarlyTyping(): void {
  typed = ''
}

/** In place of the palette's field while its code is on the way: what is typed meanwhile is not lost. */
export function EarlyField() {
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it is what the reader has just asked for
      autoFocus
      data-first-focus
      aria-label="Find"
      defaultValue={typed}
      maxLength={200}
      onChange={(event) => {
        typed = event.target.value
      }}
      placeholder="Sessions, screens, what was said …"
      className="h-10 w-full border-b border-line bg-transparent px-3 text-title outline-none placeholder:text-muted"
    />
  )
}
