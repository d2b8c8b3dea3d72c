/** What the page dispatches on the window once its frame works. */
export const PAGE_READY = 'plimsoll:ready'

/** How often it is asked whether a button works by now. Milliseconds. */
const ASK_MS = 30

/**
 * What such a script begins with: `works(element)` says whether the scripts of an element are there. Parts of a page begin
 * to work one after the other. React names the properties of each element that works by the same key, which the body of a
 * ready page shows; were there no such key, every element would count as working once the page is ready.
 */
export const WORKS = `
  let ready = false
  let key
  const works = (element) => ready && (key === undefined || key in element)
  addEventListener('${PAGE_READY}', () => {
    key = Object.keys(document.body).find((name) => name.startsWith('__reactProps'))
    ready = true
  }, { once: true })`

/**
 * A script that runs before all others. A button that is pressed before its own scripts are there would do nothing and say
 * nothing: its click is kept, the pointer shows that it waits (`data-waiting` on the page), and it is clicked once it
 * works. Of several clicks the last one counts. Links need no scripts and are left alone.
 *
 * A part of the page that is drawn anew meanwhile has another button in the same place: the one with the same words, of as
 * many before it.
 */
export const EARLY_CLICKS = `(() => {${WORKS}
  const page = document.documentElement
  let pressed = null
  const end = () => {
    delete page.dataset.waiting
    const button = pressed
    pressed = null
    if (button?.isConnected) button.click()
  }
  let place = 0
  const alike = (button) =>
    [...document.querySelectorAll('button')].filter((one) => one.textContent === button.textContent)
  const ask = () => {
    if (pressed === null) return
    if (!pressed.isConnected) pressed = alike(pressed)[place] ?? pressed
    if (works(pressed) || !pressed.isConnected) end()
    else setTimeout(ask, ${ASK_MS})
  }
  addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (button === null || works(button)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    page.dataset.waiting = ''
    if (pressed === null) setTimeout(ask, ${ASK_MS})
    pressed = button
    place = alike(button).indexOf(button)
  }, true)
})()`
