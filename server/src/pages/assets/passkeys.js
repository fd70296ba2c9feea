// Signs in with a passkey, by button and by autofill, and adds one. What needs it is hidden until it runs, and stays so where no passkey can be.
const canUse = window.PublicKeyCredential && !/^[\d.]+$|:/.test(location.hostname)
let waiting

if (canUse) for (const box of document.querySelectorAll('[data-passkey]')) prepare(box)

function prepare(box) {
  const form = box.querySelector('form')
  const kind = box.dataset.passkey
  box.hidden = false
  document.querySelector('[data-without]')?.remove()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    waiting?.abort()
    perform(form, kind).catch((error) => report(box, error))
  })
  if (kind === 'get') offer(form).catch(() => {}) // an offer nobody asked for fails silently: the button is there, and says what goes wrong
}

// The browser offers passkeys beside the addresses it knows. A challenge is good for five minutes: before that it is asked anew.
async function offer(form) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  for (let isStale = true; isStale; ) {
    isStale = false
    waiting = new AbortController()
    const { signal } = waiting
    const renew = setTimeout(
      (controller) => {
        isStale = true
        controller.abort()
      },
      240_000,
      waiting,
    )
    await perform(form, 'get', { mediation: 'conditional', signal }).catch(() => clearTimeout(renew))
  }
}

async function perform(form, kind, more = {}) {
  const body = new URLSearchParams({ flow: form.elements.flow?.value ?? '' })
  const answer = await fetch(form.dataset.options, { method: 'POST', body, redirect: 'manual' })
  // Signed out, or not authenticated for a while: the page itself leads to the sign-in.
  if (answer.type === 'opaqueredirect') return location.reload()
  if (!answer.ok) throw new Error(answer.status)
  const publicKey = fromJson(await answer.json())
  if (more.signal?.aborted) return
  form.elements.credential.value = JSON.stringify(toJson(await navigator.credentials[kind]({ publicKey, ...more })))
  form.submit()
}

function report(box, { name }) {
  const key = { NotAllowedError: 'cancelled', AbortError: 'cancelled', InvalidStateError: 'known' }[name] ?? 'failed'
  box.querySelector('[role=status]').textContent = box.dataset[key] ?? box.dataset.failed
}

// By hand, since password managers that stand in for the browser often lack toJSON.
function fromJson(options) {
  const withBytes = (item) => ({ ...item, id: toBytes(item.id) })
  return {
    ...options,
    challenge: toBytes(options.challenge),
    ...(options.user && { user: withBytes(options.user) }),
    ...(options.excludeCredentials && { excludeCredentials: options.excludeCredentials.map(withBytes) }),
  }
}

function toJson({ id, rawId, type, response }) {
  const parts = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
  const bytes = parts.filter((name) => response[name]).map((name) => [name, toText(response[name])])
  return { id, rawId: toText(rawId), type, response: { ...Object.fromEntries(bytes), transports: response.getTransports?.() ?? [] } }
}

function toBytes(text) {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0))
}

function toText(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
}
