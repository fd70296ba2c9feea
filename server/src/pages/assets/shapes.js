// Gives a tax id and a phone their usual form while they are typed. Pages work without it: the server takes each in any form.
for (const input of document.querySelectorAll('[data-shape]')) watch(input, { tax_id: taxId, phone }[input.dataset.shape])

// Only at the end of the text: who corrects something in the middle, or deletes, is left alone.
function watch(input, shape) {
  input.addEventListener('input', ({ isComposing, inputType }) => {
    const isAtEnd = input.selectionStart === input.value.length
    if (isAtEnd && !isComposing && !/^delete/.test(inputType)) input.value = shape(input.value)
  })
}

// CPF 000.000.000-00; CNPJ 00.000.000/0000-00, whose first twelve may be letters. What is neither stays as it is.
function taxId(text) {
  const typed = text.replace(/[.\-/\s]/g, '').toUpperCase()
  if (/^\d{0,11}$/.test(typed)) return grouped(typed, [3, ''], [3, '.'], [3, '.'], [2, '-'])
  return /^[\dA-Z]{1,12}\d{0,2}$/.test(typed) ? grouped(typed, [2, ''], [3, '.'], [3, '.'], [4, '/'], [2, '-']) : text
}

// (11) 91234-5678. A number with a country of its own stays as it is.
function phone(text) {
  const typed = text.replace(/[()\-\s]/g, '')
  if (!/^\d{3,11}$/.test(typed)) return text
  return grouped(typed, [2, '('], [typed.length > 10 ? 5 : 4, ') '], [4, '-'])
}

function grouped(text, ...groups) {
  let from = 0
  let made = ''
  for (const [size, mark] of groups) {
    if (from < text.length) made += mark + text.slice(from, from + size)
    from += size
  }
  return made
}
