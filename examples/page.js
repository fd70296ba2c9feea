// What the examples share and no app needs to copy: a look, and two lines about cookies. The integration itself is in each app.js.

/** Sends a page. `body` comes from `html`, so whatever a user typed as their name stays text. */
export function sendPage(response, status, title, body) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  response.end(page(title, body))
}

/** The page alone, for whom sends it in another way. */
export function page(title, body) {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>${style}</style><main><h1>${title}</h1>${body}</main></html>`
}

/** A handler whose faults, Portaria being away among them, end as a page and not the process. */
export function answer(handle) {
  return (request, response) =>
    handle(request, response).catch((error) => {
      console.error(error)
      sendPage(response, 502, 'That did not work', '<p>Portaria could not be asked. Try again in a moment.</p><a href="/">Try again</a>')
    })
}

/** Sends the browser on, with cookies on the way. */
export function redirect(response, location, cookies = []) {
  response.writeHead(302, { location, 'set-cookie': cookies, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).end()
}

export function readCookie({ headers }, name) {
  return headers.cookie
    ?.split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}

/** On https, add `Secure`. A negative life in seconds removes the cookie. */
export function cookie(name, value, seconds) {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}`
}

/** A tagged template that escapes every value. */
export function html(parts, ...values) {
  const escaped = values.map((value) => String(value ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`))
  return String.raw({ raw: parts }, ...escaped)
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#dde1e6, #2c323a); --soft: light-dark(#59636e, #9aa5b1); --accent: light-dark(#1f4fd8, #8fb0ff) }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f4f5f7, #101317); color: light-dark(#16191d, #e8ebef) }
main { box-sizing: border-box; width: min(440px, calc(100% - 32px)); padding: 36px; border: 1px solid var(--line); border-radius: 16px; background: light-dark(#fff, #181c21) }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3 } h1 + a { margin-top: 24px } p { margin: 8px 0 24px; color: var(--soft) }
dl { display: grid; grid-template-columns: auto 1fr; gap: 10px 20px; margin: 24px 0 } dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere }
a, button { display: block; box-sizing: border-box; width: 100%; min-height: 46px; padding: 10px; border: 1px solid var(--accent); border-radius: 10px; font: inherit; font-weight: 600; text-align: center; text-decoration: none; background: none; color: var(--accent); cursor: pointer }
a.main, button.main { background: var(--accent); color: light-dark(#fff, #10151d) } a + a, a + form, form + form, form + a { margin-top: 12px }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }`
