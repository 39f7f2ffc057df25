#!/bin/bash
echo updated
