"""Builds the site of Posthorn: the documents and the API reference as one folder of static pages. Run by Scripts/site."""
