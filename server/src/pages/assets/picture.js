// Makes a chosen picture a small square before it is sent. Pages work without it: the server takes a PNG as it is.
const SIDE = 256
const input = document.querySelector('[data-any]')
const hint = document.querySelector('#picture-hint')

input.accept = 'image/*'
hint.textContent = input.dataset.any
input.addEventListener('change', () => void shrink())

async function shrink() {
  const [file] = input.files
  // A file that this browser can't read is sent as it is: the server then judges it, and names what is wrong.
  const picture = file && (await createImageBitmap(file).catch(() => undefined))
  if (!picture) return
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = SIDE
  const side = Math.min(picture.width, picture.height)
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2]
  canvas.getContext('2d').drawImage(picture, left, top, side, side, 0, 0, SIDE, SIDE)
  const small = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!small || file !== input.files[0]) return // another one has been chosen since
  const files = new DataTransfer()
  files.items.add(new File([small], file.name, { type: 'image/png' }))
  input.files = files.files
  show(canvas)
}

// The picture as it will be, in the place of the one that is.
function show(canvas) {
  const shown = document.querySelector('[data-portrait] .avatar')
  canvas.className = 'avatar'
  canvas.setAttribute('aria-hidden', 'true')
  shown.replaceWith(canvas)
}
