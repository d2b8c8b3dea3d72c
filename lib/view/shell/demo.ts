/** Whether sessions on the pages are made up: none of them, some beside real ones, or all. */
export type DemoNotice = 'none' | 'beside' | 'only'
