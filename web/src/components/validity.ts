import { errorsTexts } from '../texts/errors.ts';

const words = errorsTexts.validity;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLTextAreaElement ||
  element instanceof HTMLSelectElement;

/** What is wrong with the content of a control, in the words of the dashboard. */
function messageOf(control: Control): string {
  const { validity } = control;
  if (validity.valueMissing) return words.missing;
  if (control instanceof HTMLInputElement) {
    if (validity.rangeUnderflow || validity.rangeOverflow || validity.stepMismatch || validity.badInput)
      return control.min !== '' && control.max !== ''
        ? words.number(control.min, control.max)
        : words.badNumber;
    if (validity.typeMismatch && control.type === 'url') return words.address;
    if (validity.typeMismatch && control.type === 'email') return words.email;
  }
  return control.validationMessage;
}

/** The messages of all invalid controls of a form, by the id of the control. */
export function invalidControls(form: HTMLFormElement): Record<string, string> {
  const found = [...form.elements].filter(isControl).filter((control) => !control.validity.valid);
  return Object.fromEntries(found.map((control) => [control.id, messageOf(control)]));
}
