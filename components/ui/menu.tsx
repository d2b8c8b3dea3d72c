'use client'

import { type ReactNode, useId, useRef } from 'react'
import { buttonClasses } from './button'

/** With `checked` it is one of several choices, else an action. */
export type MenuItem = { readonly label: string; readonly onSelect: () => void; readonly checked?: boolean }

const ITEM =
  'flex w-full items-center gap-2 rounded-sm px-2 py-1.5 text-left text-table hover:bg-inset focus-visible:bg-inset'

/**
 * A button that opens a short list of actions in the browser's own popover: Escape and a click outside close it, arrow
 * keys move, Tab leaves.
 */
export function Menu({
  label,
  trigger,
  items,
}: {
  /** Name of the button and of the list. */
  label: string
  trigger: ReactNode
  items: readonly MenuItem[]
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  function place() {
    const popover = list.current
    const anchor = button.current?.getBoundingClientRect()
    if (!popover || !anchor) return
    popover.style.top = `${anchor.bottom + 4}px`
    popover.style.right = `${Math.max(8, document.documentElement.clientWidth - anchor.right)}px`
    popover.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
  }

  function move(step: 1 | -1) {
    const options = [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const at = options.indexOf(document.activeElement as HTMLElement)
    options[(at + step + options.length) % options.length]?.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-label={label}
        title={label}
        className={buttonClasses('quiet')}
      >
        {trigger}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onToggle={(event) => event.newState === 'open' && place()}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          move(event.key === 'ArrowDown' ? 1 : -1)
        }}
        className="floating fixed inset-auto m-0 min-w-36 p-1 text-text"
      >
        {items.map((item) => {
          const select = () => {
            list.current?.hidePopover()
            item.onSelect()
          }
          if (item.checked === undefined) {
            return (
              <button key={item.label} type="button" role="menuitem" onClick={select} className={ITEM}>
                {item.label}
              </button>
            )
          }
          return (
            <button
              key={item.label}
              type="button"
              role="menuitemradio"
              aria-checked={item.checked}
              onClick={select}
              className={ITEM}
            >
              <span aria-hidden="true" className="w-3 text-accent">
                {item.checked ? '●' : ''}
              </span>
              {item.label}
            </button>
          )
        })}
      </div>
    </>
  )
}
