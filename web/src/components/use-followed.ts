import { useState } from 'react';

/** The text of a field that follows a value of the address: changed by the field, by a link or by the history. */
export function useFollowed(value: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setText(value);
  }
  return [text, setText];
}
