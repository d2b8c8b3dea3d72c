import { WORKS } from './early-clicks'

/** How often it is asked whether a field works by now. Milliseconds. */
const ASK_MS = 30

/**
 * A script that runs before all others, as that of early clicks does. What is typed, chosen or ticked in a field before
 * its scripts are there would be shown in it and count for nothing, until the field is drawn again and forgets it. It is
 * kept, and done once more when the field works.
 *
 * React takes a change of a field for one only when the value differs from the last that was set by a script. So the value
 * that the page came with is set first, and the one that was typed behind the back of React. A field that was drawn anew
 * is the one with the same name, of as many before it. A file that was chosen is left alone: no script may choose it again.
 */
export const EARLY_FIELDS = `(() => {${WORKS}
  const nameOf = ({ tagName, type, name, ariaLabel, id }) => [tagName, type, name, ariaLabel, id].join('|')
  const alike = (name) =>
    [...document.querySelectorAll('input,select,textarea')].filter((one) => nameOf(one) === name)
  const kept = new Map()
  const isTicked = (field) => field.type === 'checkbox' || field.type === 'radio'
  const put = (field, { value, checked }) => {
    if (isTicked(field)) {
      field.checked = !checked
      field.click()
      return
    }
    if (field instanceof HTMLSelectElement) {
      field.value = value
      field.dispatchEvent(new Event('change', { bubbles: true }))
      return
    }
    const isHere = document.activeElement === field
    const [start, end] = [field.selectionStart, field.selectionEnd]
    field.value = field.defaultValue
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, value)
    if (isHere && start !== null) field.setSelectionRange(start, end)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const ask = () => {
    for (const [field, change] of [...kept]) {
      const now = field.isConnected ? field : alike(change.name)[change.place]
      if (now !== undefined && !works(now)) continue
      kept.delete(field)
      if (now !== undefined) put(now, change)
    }
    if (kept.size > 0) setTimeout(ask, ${ASK_MS})
  }
  addEventListener('input', ({ target: field }) => {
    if (!(field instanceof HTMLElement) || !('value' in field) || field.type === 'file' || works(field)) return
    if (kept.size === 0) setTimeout(ask, ${ASK_MS})
    const name = nameOf(field)
    kept.set(field, { name, place: alike(name).indexOf(field), value: field.value, checked: field.checked })
  }, true)
})()`
