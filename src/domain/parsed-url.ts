/** `URL.parse`, which the oldest Node of the client does not have. Null where the text is no URL. */
export const parsedUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);
